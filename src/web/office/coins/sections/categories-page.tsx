import { useState, type ReactNode } from "react";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import * as contract from "#contract/staff/calls.ts";
import { categoryTree, type CategoryNode } from "#shop/catalog/category.ts";
import { callStaff, type AnswerOf } from "../../client.ts";
import { Field, Select, TextArea } from "../../ui/form/field.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { movedBy } from "./moved.ts";
import { SectionForm } from "./section-form.tsx";
import { SectionPage, SectionRow, useSectionList } from "./section-list.tsx";
import "../coins.css";

type Category = AnswerOf<StaffEntryOf<typeof contract.readCategories>>[number];

/** The listings of the catalogue as a tree in menu order. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readCategories);
  const { edited, setEdited, trouble, change, remove, close, finish } = useSectionList<Category>(reload);
  const all = data ?? [];
  const details = new Map(all.map((category) => [category.slug, category]));

  function order(siblings: readonly CategoryNode[], index: number, step: 1 | -1): Promise<void> {
    const moved = new Map([[siblings[0]?.parent ?? null, movedBy(siblings, index, step)]]);
    const flat = (nodes: readonly CategoryNode[]): string[] =>
      (nodes[0] ? (moved.get(nodes[0].parent) ?? nodes) : []).flatMap(({ slug, children }) => [slug, ...flat(children)]);
    return change(callStaff(contract.orderCategories, { body: { slugs: flat(categoryTree(all)) } }));
  }
  const removeCategory = ({ slug, title }: CategoryNode) =>
    remove({ title: `Удалить раздел «${title}»?`, doneText: "Раздел удалён" }, () =>
      callStaff(contract.deleteCategory, { body: { slug } }),
    );

  const list = (nodes: readonly CategoryNode[], depth: number) =>
    nodes.flatMap((node, index): ReactNode[] => {
      const category = details.get(node.slug);
      const isEmpty = category?.coinCount === 0 && node.children.length === 0;
      return [
        <SectionRow
          key={node.slug}
          title={node.title}
          note={`/catalog/${node.slug}`}
          coinCount={category?.coinCount ?? 0}
          depth={depth}
          isFirst={index === 0}
          isLast={index === nodes.length - 1}
          onOpen={() => category && setEdited(category)}
          onMove={(step) => void order(nodes, index, step)}
          onRemove={isEmpty ? () => void removeCategory(node) : null}
        />,
        ...list(node.children, depth + 1),
      ];
    });

  return (
    <SectionPage
      title="Разделы каталога"
      facts="Порядок здесь — порядок в меню; число справа — монеты раздела"
      addText="Новый раздел"
      onAdd={() => setEdited("new")}
      trouble={trouble ?? refusal?.message}
      isLoaded={data !== null && data !== undefined}
      form={
        edited ? (
          <CategoryForm
            key={edited === "new" ? "new" : edited.slug}
            category={edited === "new" ? null : edited}
            all={all}
            onClose={close}
            onSaved={finish}
          />
        ) : null
      }
    >
      {list(categoryTree(all), 0)}
    </SectionPage>
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
  const [texts, setTexts] = useState({
    title: category?.title ?? "",
    heading: category?.heading ?? "",
    intro: category?.intro ?? "",
    parent: category?.parent ?? "",
  });
  const add = useSend(contract.addCategory);
  const save = useSend(contract.saveCategory);
  const sending = category ? save : add;

  async function send(revision: number) {
    const body = { ...texts, parent: texts.parent === "" ? null : texts.parent, slug };
    const result = category ? await save.send({ body: { ...body, revision } }) : await add.send({ body });
    const stale = result && !result.ok && result.error?.code === "staff.stale" ? (result.error.data.current ?? null) : null;
    return { isSaved: result?.ok === true, stale };
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
    <SectionForm<Category>
      title={category ? `Раздел «${category.title}»` : "Новый раздел"}
      revision={category?.revision ?? 0}
      send={send}
      sending={sending}
      compare={(current) =>
        (
          [
            ["title", "Название в меню"],
            ["heading", "Заголовок страницы"],
            ["intro", "Вступление"],
            ["parent", "Внутри раздела"],
          ] as const
        ).map(([name, label]) => ({ label, current: current[name] ?? "", yours: texts[name] }))
      }
      onTakeCurrent={({ title, heading, intro, parent }) => setTexts({ title, heading, intro, parent: parent ?? "" })}
      onSaved={onSaved}
      onClose={onClose}
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
    </SectionForm>
  );
}
