import { useEffect, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { useLocation, useParams } from "react-router";
import { moscow } from "#kit/moscow-time.ts";
import type { TextKind } from "#shop/content/text-data.ts";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { mayGiveUp } from "../ui/form/unsaved.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { Editor } from "./editor/editor.tsx";
import { newText, textSpecs, type Value } from "./specs.ts";
import type { EditableView } from "./editor/versions.tsx";
import { isTextKind, kindWords } from "./words.ts";

export function Component() {
  const { kind = "", id = "" } = useParams();
  if (!isTextKind(kind)) return <PageHead title="Такой страницы нет" />;
  return id === "new" ? <NewText key={kind} kind={kind} /> : <StoredText key={`${kind}:${id}`} kind={kind} id={Number(id)} />;
}

/**
 * The screen of a new text. Its first save replaces the address without the router, whose location stays `…/new`. The link «Новая новость»
 * then only changes the location's key; a new key begins another text.
 */
function NewText({ kind }: { kind: TextKind }) {
  const { key } = useLocation();
  const [begun, setBegun] = useState(key);
  useEffect(() => {
    if (key !== begun) void mayGiveUp().then((isGivenUp) => isGivenUp && setBegun(key));
  }, [key, begun]);
  return <OneNewText key={begun} kind={kind} />;
}

/** A new text is stored with its first save and keeps its screen. */
function OneNewText({ kind }: { kind: TextKind }) {
  const { send, refusal, fields } = useSend(contract.createText, { stores: "screen" });
  const [stored, setStored] = useState<EditableView | null>(null);
  const [initial] = useState(() => newText(kind, moscow(new Date()).date));
  const create = async (value: Value) => {
    const answer = await send({ params: { kind }, body: { data: value as never } });
    return answer?.ok ? answer.value : null;
  };
  return (
    <Editor
      name={kindWords[kind].make ?? kindWords[kind].one}
      specs={textSpecs[kind]}
      stored={stored}
      initial={initial}
      createRefusal={refusal}
      createFields={fields}
      onCreate={create}
      onSaved={(now) => {
        setStored(now);
        window.history.replaceState(window.history.state, "", `/content/${kind}/${now.id}`);
      }}
    />
  );
}

function StoredText({ kind, id }: { kind: TextKind; id: number }) {
  const { data, refusal } = useRead(contract.readContent, { params: { kind, id } });
  const [saved, setSaved] = useState<EditableView | null>(null);
  const stored = saved ?? data;
  if (!stored)
    return (
      <>
        <PageHead title={kindWords[kind].one} />
        {refusal ? (
          <Notice tone="warn">
            <p>{refusal.message}</p>
          </Notice>
        ) : (
          <p role="status">Загружаем…</p>
        )}
      </>
    );
  return (
    <Editor name={stored.title} specs={textSpecs[kind]} stored={stored} initial={stored.data as unknown as Value} onSaved={setSaved} />
  );
}
