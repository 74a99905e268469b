import { useEffect, useState } from "react";
import { useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../client.ts";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { labelEndText } from "./words.ts";

const pollMs = 1_500;

/** The window of labels: waits until the carrier has printed the file, then becomes the file. */
export function Component() {
  const { id = "" } = useParams();
  return <LabelWindow key={id} id={id} />;
}

function LabelWindow({ id }: { id: string }) {
  const [trouble, setTrouble] = useState("");
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let timer = 0;
    const stop = new AbortController();
    const look = async () => {
      const answer = await callStaff(contract.readLabel, { params: { id }, signal: stop.signal });
      if (stop.signal.aborted) return;
      if (answer.ok && answer.value.state === "ready") return location.replace(`/api/staff/packing/labels/${id}/file`);
      const end = answer.ok ? labelEndText(answer.value) : null;
      if (end !== null) {
        setOver(true);
        return setTrouble(end);
      }
      setTrouble(answer.ok ? "" : (answer.error?.message ?? ""));
      timer = window.setTimeout(() => void look(), pollMs);
    };
    void look();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [id]);
  return (
    <>
      {isOver ? (
        <PageHead title="Этикетки нет" />
      ) : (
        <PageHead title="Этикетка готовится" facts="СДЭК печатает её несколько секунд, файл откроется здесь" />
      )}
      {trouble ? (
        <Notice tone="warn">
          <p>{trouble}</p>
        </Notice>
      ) : null}
    </>
  );
}
