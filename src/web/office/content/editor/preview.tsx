import { useEffect, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../../client.ts";

const pauseMs = 300;

/** The text as visitors will see it, made by the shop's own renderer a moment after each change. */
export function Preview({ markdown }: { markdown: string }) {
  const [html, setHtml] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await callStaff(contract.previewMarkdown, { body: { markdown }, signal: stop.signal });
      if (stop.signal.aborted) return;
      setProblem(answer.ok ? "" : (answer.error?.message ?? ""));
      if (answer.ok) setHtml(answer.value.html);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [markdown]);
  return (
    <section className="text-preview" aria-label="Как увидит посетитель">
      {problem ? <p className="hint hint--bad">{problem}</p> : null}
      {/* The renderer makes safe HTML only (shop/content/markdown.ts); links would leave the editor. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        dangerouslySetInnerHTML={{ __html: html }}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest("a")) event.preventDefault();
        }}
      />
    </section>
  );
}
