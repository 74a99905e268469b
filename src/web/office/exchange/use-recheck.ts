import * as contract from "#contract/staff/calls.ts";
import { useSend } from "../ui/send/use-send.ts";
import type { ImportItem } from "./words.ts";

/**
 * Compares the data from 1C that are not applied yet with the shop again. `run` returns the imports that wait afterwards; null: refused.
 */
export function useRecheck() {
  const { send, isBusy, refusal } = useSend(contract.recheckAccounting);
  const run = async (): Promise<ImportItem[] | null> => {
    const answer = await send({});
    return answer?.ok ? answer.value.imports : null;
  };
  return { run, isBusy, refusal };
}
