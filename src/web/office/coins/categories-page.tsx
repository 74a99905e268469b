import { useState, type ReactNode } from "react";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import * as contract from "#contract/staff/calls.ts";
import { categoryTree, type CategoryNode } from "#shop/catalog/category.ts";
import { callStaff, type AnswerOf } from "../client.ts";
import { confirm } from "../ui/confirm.tsx";
import { Field, Select, TextArea } from "../ui/field.tsx";
import { Notice } from "../ui/marks.tsx";
import { Modal } from "../ui/modal.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { StaleDialog } from "../ui/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/use-read.ts";
import { useSend } from "../ui/use-send.ts";
import { CoinTabs } from "./coin-tabs.tsx";
import { movedBy } from "./moved.ts";
import "./coins.css";

type Category = AnswerOf<StaffEntryOf<typeof contract.readCategories>>[number];

/** The listings of the catalogue as a tree in menu order. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readCategories);
  const [edited, setEdited] = useState<Category | "new" | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const all = data ?? [];
  const details = new Map(all.map((category) => [category.slug, category]));

  async function order(siblings: readonly CategoryNode[], index: number, step: 1 | -1): Promise<void> {
    const moved = new Map([[siblings[0]?.parent ?? null, movedBy(siblings, index, step)]]);
    const flat = (nodes: readonly CategoryNode[]): string[] =>
      (nodes[0] ? (moved.get(nodes[0].parent) ?? nodes) : []).flatMap(({ slug, children }) => [slug, ...flat(children)]);
    const answer = await callStaff(contract.orderCategories, { body: { slugs: flat(categoryTree(all)) } });
    setTrouble(answer.ok ? null : (answer.error?.message ?? null));
    await reload();
  }
  async function remove({ slug, title }: CategoryNode): Promise<void> {
    if (!(await confirm({ title: `Удалить раздел «${title}»?`, action: "Удалить" }))) return;
    const answer = await callStaff(contract.deleteCategory, { body: { slug } });
    setTrouble(answer.ok ? null : (answer.error?.message ?? null));
    if (answer.ok) showToast("Раздел удалён");
    await reload();
  }

  const list = (nodes: readonly CategoryNode[], depth: number) =>
    nodes.flatMap((node, index): ReactNode[] => {
      const category = details.get(node.slug);
      return [
        <li key={node.slug} className={depth > 0 ? `section-tree__${Math.min(2, depth)}` : undefined}>
          <span className="cut">
            <button className="text-button" type="button" onClick={() => category && setEdited(category)}>
              {node.title}
            </button>{" "}
            <span className="muted">/catalog/{node.slug}</span>
          </span>
          <span className="muted number">{category?.coinCount ?? 0}</span>
          <span className="section-tree__actions">
            <button
              className="button button--quiet button--small"
              type="button"
              disabled={index === 0}
              aria-label={`Выше: ${node.title}`}
              onClick={() => void order(nodes, index, -1)}
            >
              ↑
            </button>
            <button
              className="button button--quiet button--small"
              type="button"
              disabled={index === nodes.length - 1}
              aria-label={`Ниже: ${node.title}`}
              onClick={() => void order(nodes, index, 1)}
            >
              ↓
            </button>
            {category?.coinCount === 0 && node.children.length === 0 ? (
              <button className="button button--quiet button--small" type="button" onClick={() => void remove(node)}>
                Удалить
              </button>
            ) : null}
          </span>
        </li>,
        ...list(node.children, depth + 1),
      ];
    });

  return (
    <>
      <PageHead
        title="Разделы каталога"
        facts="Порядок здесь — порядок в меню; число справа — монеты раздела"
        actions={
          <button className="button button--gold" type="button" onClick={() => setEdited("new")}>
            Новый раздел
          </button>
        }
      />
      <CoinTabs />
      {refusal || trouble ? (
        <Notice tone="warn">
          <p>{trouble ?? refusal?.message}</p>
        </Notice>
      ) : null}
      {data ? <ul className="section-tree">{list(categoryTree(all), 0)}</ul> : <p role="status">Загружаем…</p>}
      {edited ? (
        <CategoryForm
          key={edited === "new" ? "new" : edited.slug}
          category={edited === "new" ? null : edited}
          all={all}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            showToast("Сохранено");
            void reload();
          }}
        />
      ) : null}
    </>
  );
}

function CategoryForm({
  category,
  all,
  onSaved,
  onClose,
}: {
  category: Category | null;
  all: readonly Category[];
  onSaved: () => void;
  onClose: () => void;
}) {
  const [slug, setSlug] = useState(category?.slug ?? "");
  const [revision, setRevision] = useState(category?.revision ?? 0);
  const [texts, setTexts] = useState({
    title: category?.title ?? "",
    heading: category?.heading ?? "",
    intro: category?.intro ?? "",
    parent: category?.parent ?? "",
  });
  const [stale, setStale] = useState<Category | null>(null);
  const add = useSend(contract.addCategory);
  const save = useSend(contract.saveCategory);
  const sending = category ? save : add;

  async function submit(at = revision): Promise<void> {
    const body = { ...texts, parent: texts.parent === "" ? null : texts.parent, slug };
    const result = category ? await save.send({ body: { ...body, revision: at } }) : await add.send({ body });
    if (result?.ok) onSaved();
    else if (result?.error?.code === "staff.stale" && result.error.data.current) setStale(result.error.data.current);
  }
  const field = (name: "title" | "heading", label: string) => (
    <Field
      label={label}
      error={sending.fields[name]}
      value={texts[name]}
      onChange={(event) => setTexts((before) => ({ ...before, [name]: event.target.value }))}
    />
  );
  return (
    <Modal title={category ? `Раздел «${category.title}»` : "Новый раздел"} isOpen onClose={onClose} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {field("title", "Название в меню")}
        {field("heading", "Заголовок страницы")}
        <Select
          label="Внутри раздела"
          error={sending.fields.parent}
          options={[
            ["", "на верхнем уровне"],
            ...all.filter((each) => each.slug !== category?.slug).map((each) => [each.slug, each.title] as const),
          ]}
          value={texts.parent}
          onChange={(event) => {
            const parent = event.target.value;
            setTexts((before) => ({ ...before, parent }));
            if (!category && parent !== "" && !slug.startsWith(`${parent}/`)) setSlug(`${parent}/`);
          }}
        />
        <Field
          label="Адрес после /catalog/"
          error={sending.fields.slug}
          hint="Адрес раздела потом не меняют"
          readOnly={category !== null}
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
        />
        <TextArea
          label="Вступление"
          error={sending.fields.intro}
          value={texts.intro}
          onChange={(event) => setTexts((before) => ({ ...before, intro: event.target.value }))}
        />
        {sending.refusal && Object.keys(sending.fields).length === 0 && !stale ? (
          <Notice tone="warn">
            <p>{sending.refusal.message}</p>
          </Notice>
        ) : null}
        <div className="modal__foot">
          <button className="button button--gold" type="submit" disabled={sending.isBusy}>
            Сохранить
          </button>
        </div>
      </form>
      <StaleDialog
        fields={
          stale &&
          (
            [
              ["title", "Название в меню"],
              ["heading", "Заголовок страницы"],
              ["intro", "Вступление"],
              ["parent", "Внутри раздела"],
            ] as const
          ).map(([name, label]) => ({ label, current: stale[name] ?? "", yours: texts[name] }))
        }
        onClose={() => setStale(null)}
        onTakeCurrent={() => {
          if (stale) {
            setTexts({ title: stale.title, heading: stale.heading, intro: stale.intro, parent: stale.parent ?? "" });
            setRevision(stale.revision);
          }
          setStale(null);
        }}
        onKeepYours={() => {
          const at = stale?.revision ?? revision;
          setStale(null);
          setRevision(at);
          void submit(at);
        }}
      />
    </Modal>
  );
}
