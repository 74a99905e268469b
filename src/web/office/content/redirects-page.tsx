import { useState } from "react";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readRedirects } from "#contract/staff/site/content.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { Check, Field } from "../ui/form/field.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";

type Redirect = z.output<(typeof readRedirects)["answer"]>["items"][number];
const empty = { path: "/", target: "/", isPermanent: true };

/** Addresses that lead elsewhere. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readRedirects);
  const [chosen, setChosen] = useState<Redirect | "new" | null>(null);
  const show = (redirect: Redirect | "new") => {
    if (redirect !== chosen) void leavePanel(() => setChosen(redirect));
  };
  const close = async () => {
    setChosen(null);
    await reload();
  };
  return (
    <WithPanel
      panel={
        chosen ? (
          <RedirectPanel
            key={chosen === "new" ? "new" : chosen.path}
            redirect={chosen === "new" ? null : chosen}
            onClose={() => void close()}
          />
        ) : null
      }
    >
      <PageHead
        title="Переадресации"
        facts="Прежние адреса ведут на нынешние"
        actions={
          <button className="button button--gold" type="button" onClick={() => show("new")}>
            Новая переадресация
          </button>
        }
      />
      <DataTable
        caption="Переадресации"
        columns={[
          {
            key: "path",
            head: "Откуда",
            isRowHead: true,
            cell: (each) => (
              <button className="text-button" type="button" onClick={() => show(each)}>
                {each.path}
              </button>
            ),
          },
          { key: "target", head: "Куда", isCut: true, cell: ({ target }) => target },
          { key: "kind", head: "Какая", cell: ({ isPermanent }) => (isPermanent ? "постоянная" : "временная") },
          { key: "made", head: "Как появилась", isWideOnly: true, cell: ({ isAutomatic }) => (isAutomatic ? "после смены адреса" : "") },
        ]}
        rows={data?.items}
        keyOf={({ path }) => path}
        nameOf={({ path }) => path}
        onOpen={show}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Переадресаций нет"
      />
    </WithPanel>
  );
}

function RedirectPanel({ redirect, onClose }: { redirect: Redirect | null; onClose: () => void }) {
  const [value, setValue] = useState<typeof empty>(redirect ?? empty);
  const [stale, setStale] = useState<{ current: Redirect | null } | null>(null);
  const { send, isBusy, refusal, fields } = useSend(contract.saveRedirect);
  const { send: remove } = useSend(contract.removeRedirect);
  const { path, target, isPermanent } = value;
  const save = async (revision = redirect?.revision ?? null) => {
    const answer = await send({ body: { path, target, isPermanent, revision } });
    if (answer?.ok) {
      showToast("Переадресация сохранена");
      onClose();
    } else if (answer?.error?.code === "staff.stale") setStale(answer.error.data);
  };
  const end = async () => {
    if (!redirect || !(await confirm({ title: `Убрать переадресацию с ${redirect.path}?`, action: "Убрать" }))) return;
    const answer = await remove({ body: { path: redirect.path, revision: redirect.revision } });
    if (answer && !answer.ok) return showToast(answer.error?.message ?? "", { isTrouble: true });
    showToast("Переадресация убрана");
    onClose();
  };
  return (
    <Panel
      title={redirect ? redirect.path : "Новая переадресация"}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <div className="actions">
          <button className="button button--gold" type="submit" disabled={isBusy}>
            Сохранить <kbd>Ctrl Enter</kbd>
          </button>
          {redirect ? (
            <button className="button" type="button" onClick={() => void end()}>
              Убрать
            </button>
          ) : null}
        </div>
      }
    >
      {refusal && Object.keys(fields).length === 0 && refusal.code !== "staff.stale" ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <Field
        label="Откуда"
        value={path}
        error={fields["path"]}
        disabled={redirect !== null}
        onChange={(event) => setValue({ ...value, path: event.target.value })}
      />
      <Field
        label="Куда"
        value={target}
        error={fields["target"]}
        hint="Адрес страницы сайта или полный адрес с https://"
        onChange={(event) => setValue({ ...value, target: event.target.value })}
      />
      <Check checked={isPermanent} onChange={(event) => setValue({ ...value, isPermanent: event.target.checked })}>
        Постоянная: поисковики запомнят новый адрес
      </Check>
      <StaleDialog
        fields={stale && [{ label: "Куда", yours: target, current: stale.current?.target ?? "убрана" }]}
        onKeepYours={() => {
          const revision = stale?.current?.revision ?? null;
          setStale(null);
          void save(revision);
        }}
        onTakeCurrent={onClose}
        onClose={() => setStale(null)}
      />
    </Panel>
  );
}
