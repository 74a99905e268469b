import { useCallback, useEffect, useRef, useState } from "react";
import type { StaffCallRef, StaffEntryOf } from "#contract/staff/calls.ts";
import type { StaffCall } from "#contract/staff/call.ts";
import { callStaff, type AnswerOf, type StaffCallInput, type StaffRefusal, type StaffRefusalOf } from "../../client.ts";

export type ReadState<C extends StaffCall> = {
  /** The last answer; it stays while the next one is on its way. */
  data: AnswerOf<C> | undefined;
  refusal: StaffRefusalOf<C> | null;
  isLoading: boolean;
  /** Whether `data` answers the present input: false during each read and after a refusal. Only current data may be confirmed. */
  isCurrent: boolean;
  /** Reads the present input again. */
  reload: () => Promise<void>;
};
type ReadCall = StaffCall & { method: "GET" };

/** Reads a call of the contract for a screen, and again when its input changes. A stale answer is dropped. */
export function useRead<Ref extends StaffCallRef<ReadCall>>(
  call: Ref,
  ...[input]: {} extends StaffCallInput<StaffEntryOf<Ref>>
    ? [input?: StaffCallInput<StaffEntryOf<Ref>>]
    : [input: StaffCallInput<StaffEntryOf<Ref>>]
): ReadState<StaffEntryOf<Ref>> {
  type State = {
    data: AnswerOf<StaffEntryOf<Ref>> | undefined;
    /** The input that `data` answers. */
    answered: string | null;
    refusal: StaffRefusal | null;
    isLoading: boolean;
  };
  const [state, setState] = useState<State>({ data: undefined, answered: null, refusal: null, isLoading: true });
  const requested = JSON.stringify(input ?? {});
  const newest = useRef(requested);
  const read = useCallback(
    async (signal?: AbortSignal) => {
      const reading = newest.current;
      setState((before) => ({ ...before, isLoading: true }));
      const plain = callStaff as (call: string, input: object) => Promise<unknown>;
      const answer = (await plain(call, { ...(JSON.parse(reading) as object), signal })) as
        | { ok: true; value: AnswerOf<StaffEntryOf<Ref>> }
        | { ok: false; error: StaffRefusal };
      // Another input is being read by now.
      if (signal?.aborted || reading !== newest.current) return;
      if (answer.ok) setState({ data: answer.value, answered: reading, refusal: null, isLoading: false });
      else setState((before) => ({ ...before, refusal: answer.error, isLoading: false }));
    },
    [call],
  );
  useEffect(() => {
    newest.current = requested;
    const stop = new AbortController();
    void read(stop.signal);
    return () => stop.abort();
  }, [read, requested]);
  // The compiler does not follow the type of a generic call into the state.
  const refusal = state.refusal as StaffRefusalOf<StaffEntryOf<Ref>> | null;
  const { data, answered, isLoading } = state;
  return { data, refusal, isLoading, isCurrent: answered === requested && !isLoading && refusal === null, reload: read };
}
