import { useState } from "react";
import { useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { PartKind } from "#shop/content/site/parts.ts";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { Editor } from "./editor/editor.tsx";
import { partSpecs, type Value } from "./specs.ts";
import type { EditableView } from "./editor/versions.tsx";
import { partWords } from "./words.ts";

const parts = Object.keys(partWords) as PartKind[];
const tabs = <ViewTabs label="Части сайта" views={parts.map((id) => ({ id, label: partWords[id] }))} />;

export function Component() {
  const [params] = useSearchParams();
  const view = params.get("view");
  const part = parts.find((each) => each === view) ?? "home";
  return <Part key={part} part={part} />;
}

function Part({ part }: { part: PartKind }) {
  const { data, refusal } = useRead(contract.readContent, { params: { kind: part, id: 1 } });
  const [saved, setSaved] = useState<EditableView | null>(null);
  const stored = saved ?? data;
  if (stored)
    return (
      <Editor
        name={partWords[part]}
        specs={partSpecs[part]}
        stored={stored}
        initial={stored.data as unknown as Value}
        onSaved={setSaved}
        tabs={tabs}
      />
    );
  return (
    <>
      <PageHead title={partWords[part]} />
      {tabs}
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : (
        <p role="status">Загружаем…</p>
      )}
    </>
  );
}
