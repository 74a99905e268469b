import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";

const checkEveryMs = 3_600_000;

/**
 * Whether the server runs a newer build than this page; checked every hour. If so, the next navigation loads a new document, so that old
 * scripts do not stay for days.
 */
export function useNewBuild(): boolean {
  const [isOld, setOld] = useState(false);
  const { state, location } = useNavigation();

  useEffect(() => {
    let ownVersion: string | null = null;
    async function check() {
      const answer = await callApi(contract.readBuild);
      if (!answer.ok) return;
      setOld(ownVersion !== null && ownVersion !== answer.value.version);
      ownVersion ??= answer.value.version;
    }
    void check(); // the first answer only stores the build of this page
    const timer = setInterval(() => void check(), checkEveryMs);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    if (isOld && state === "loading" && location.pathname !== window.location.pathname)
      window.location.assign(`${location.pathname}${location.search}${location.hash}`);
  }, [isOld, state, location]);

  return isOld;
}
