import { useEffect, useState } from "react";
import { useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../client.ts";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { watchLabel, type LabelOutcome } from "./label-watch.ts";

/** The window of labels: waits until the carrier has printed the file, then becomes the file. */
export function Component() {
  const { id = "" } = useParams();
  return <LabelWindow key={id} id={id} />;
}

function LabelWindow({ id }: { id: string }) {
  const [trouble, setTrouble] = useState("");
  const [end, setEnd] = useState<Exclude<LabelOutcome, { kind: "ready" }> | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const read = () => callStaff(contract.readLabel, { params: { id }, signal: stop.signal });
    void watchLabel(read, { stop: stop.signal, onTrouble: setTrouble }).then((outcome) => {
      if (outcome?.kind === "ready") location.replace(`/api/staff/packing/labels/${id}/file`);
      else setEnd(outcome);
    });
    return () => stop.abort();
  }, [id, attempt]);
  const tryAgain = () => {
    setEnd(null);
    setTrouble("");
    setAttempt(attempt + 1);
  };
  const message = end?.text ?? trouble;
  return (
    <>
      {end ? (
        <PageHead title={end.kind === "over" ? "Этикетки нет" : "Этикетка ещё не готова"} />
      ) : (
        <PageHead title="Этикетка готовится" facts="СДЭК печатает её несколько секунд, файл откроется здесь" />
      )}
      {message ? (
        <Notice tone="warn">
          <p>{message}</p>
        </Notice>
      ) : null}
      {end?.kind === "late" ? (
        <div className="actions">
          <button className="button button--gold" type="button" onClick={tryAgain}>
            Попробовать ещё раз
          </button>
        </div>
      ) : null}
    </>
  );
}
