import { useState } from "react";
import { Link, useNavigate } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { ImportKind } from "#shop/exchange/imports/import.ts";
import type { Permission } from "#shop/staff/role.ts";
import { useStaff } from "../session.ts";
import { actorText, when } from "../staff/words.ts";
import { base64Of } from "../ui/send/base64.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Select } from "../ui/form/field.tsx";
import { FileDrop } from "../ui/form/file-drop.tsx";
import { Notice } from "../ui/marks.tsx";
import { Section } from "../ui/page-head.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { countsText, kindHints, kindNames, stateNames, type ImportItem as View } from "./words.ts";

/** The server takes no more. */
const fileBytes = 16 * 1024 * 1024;
const needs: readonly (readonly [ImportKind, readonly Permission[]])[] = [
  ["prices", ["prices"]],
  ["coins", ["coins"]],
  ["stock", ["stock.post", "stock.correct"]],
];

/** A file is dropped and compared with the shop; the list below has what was dropped before. */
export function ImportView() {
  const staff = useStaff();
  const navigate = useNavigate();
  const pages = usePages();
  const { data, refusal, reload } = useRead(contract.readImports, { query: pages.cursor ? { cursor: pages.cursor } : {} });
  const upload = useSend(contract.checkImport);
  const kinds = needs.filter(([, permissions]) => permissions.some((each) => staff.may(each) !== null)).map(([kind]) => kind);
  const [kind, setKind] = useState<ImportKind>(kinds[0] ?? "prices");
  const [fileError, setFileError] = useState<string | null>(null);
  const take = async ([file]: File[]) => {
    setFileError(null);
    if (!file) return;
    if (file.size > fileBytes) return setFileError("Файл больше 16 МБ");
    if (file.size === 0) return setFileError("Файл пустой");
    const answer = await upload.send({ body: { kind, name: file.name.slice(0, 200), content: await base64Of(file) } });
    if (!answer) return;
    if (!answer.ok) return setFileError(answer.error ? (answer.error.fields["content"] ?? answer.error.message) : null);
    await navigate(`/exchange/imports/${answer.value.id}`);
  };
  const columns: Column<View>[] = [
    { key: "at", head: "Когда", cell: ({ createdAt }) => <span className="number soft">{when(createdAt)}</span> },
    {
      key: "file",
      head: "Файл",
      isRowHead: true,
      isCut: true,
      cell: ({ id, fileName }) => <Link to={`/exchange/imports/${id}`}>{fileName}</Link>,
    },
    { key: "kind", head: "Что", cell: ({ kind: of, source }) => `${kindNames[of]}${source === "accounting" ? ", из 1С" : ""}` },
    { key: "counts", head: "Что в нём", isCut: true, cell: (each) => <span className="soft">{countsText(each)}</span> },
    { key: "who", head: "Кто", isWideOnly: true, cell: ({ createdBy }) => actorText(createdBy) },
    { key: "state", head: "Состояние", cell: ({ state }) => stateNames[state] },
  ];
  return (
    <>
      {kinds.length > 0 ? (
        <Section title="Проверить таблицу">
          <div className="filters" data-passing>
            <Select
              label="Что в таблице"
              hint={kindHints[kind]}
              options={kinds.map((each) => [each, kindNames[each]] as const)}
              value={kind}
              onChange={(event) => setKind(event.target.value as ImportKind)}
            />
          </div>
          <FileDrop
            label="Перетащите файл CSV или XLSX или выберите"
            accept=".csv,.xlsx,text/csv"
            hint="До 16 МБ. Сначала покажем, что изменится; без вашего нажатия ничего не поменяется"
            error={fileError}
            isBusy={upload.isBusy}
            onFiles={(files) => void take(files)}
          />
        </Section>
      ) : (
        <Notice>
          <p>Загружать таблицы может тот, кто меняет монеты, цены или остатки. Вам доступны выгрузки и обмен с 1С.</p>
        </Notice>
      )}
      <Section title="Что загружали">
        <DataTable
          caption="Загруженные таблицы"
          columns={columns}
          rows={data?.items}
          keyOf={({ id }) => String(id)}
          nameOf={({ fileName }) => fileName}
          pathOf={({ id }) => `/exchange/imports/${id}`}
          isTrouble={({ state, counts }) => state === "checked" && counts.errors > 0}
          error={refusal?.message ?? null}
          onRetry={() => void reload()}
          empty="Таблиц ещё не загружали."
          paging={{ newer: pages.newer, older: pages.older(data?.next) }}
        />
      </Section>
    </>
  );
}
