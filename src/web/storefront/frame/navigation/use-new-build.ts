import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";

const askEveryMs = 3_600_000;

/**
 * Whether a newer build serves the shop than the one this page is of; asked each hour. If so the next step to another page is a full load,
 * so that nobody keeps old scripts for days.
 */
export function useNewBuild(): boolean {
  const [isOld, setOld] = useState(false);
  const { state, location } = useNavigation();

  useEffect(() => {
    let known: string | null = null;
    async function ask() {
      const answer = await callApi(contract.readBuild);
      if (!answer.ok) return;
      setOld(known !== null && known !== answer.value.version);
      known ??= answer.value.version;
    }
    void ask(); // the first answer only tells which build this page is of
    const timer = setInterval(() => void ask(), askEveryMs);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    if (isOld && state === "loading" && location.pathname !== window.location.pathname)
      window.location.assign(`${location.pathname}${location.search}${location.hash}`);
  }, [isOld, state, location]);

  return isOld;
}
