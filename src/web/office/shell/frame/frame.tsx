import { Toast } from "@base-ui/react/toast";
import { Suspense, useEffect, useState } from "react";
import { Outlet, ScrollRestoration, useBlocker, type Location } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../../client.ts";
import { signedIn, signedOut, useSession } from "../../session.ts";
import { SignInPage } from "../../sign-in/sign-in-page.tsx";
import { PromptOverlay } from "../../sign-in/prompt-overlay.tsx";
import { ConfirmHost } from "../../ui/form/confirm.tsx";
import { Notice } from "../../ui/marks.tsx";
import { watchWrongFields } from "../../ui/form/first-wrong.ts";
import { toasts, ToastList } from "../../ui/toasts.tsx";
import { hasUnsaved, mayGiveUp, watchTyping } from "../../ui/form/unsaved.ts";
import { useKeyboard, useKeys } from "../keys.ts";
import { KeySheet } from "./key-sheet.tsx";
import { useWaitingPolls } from "../live-waiting.ts";
import { showOverlay } from "./overlays.ts";
import { Palette } from "../palette/palette.tsx";
import { Rail } from "./rail.tsx";
import { LoadingScreen } from "../states.tsx";
import { TopBar } from "./top-bar.tsx";

const foldKey = "office-rail";

/** Top bar, rail and screen of a signed-in member of staff; the sign-in page for everyone else, at the same address. */
export function Frame() {
  const { me } = useSession();
  const [failure, setFailure] = useState("");
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    void callStaff(contract.readMe).then((answer) => {
      if (answer.ok) signedIn(answer.value);
      else if (answer.error.code === "staff.sign_in_required") signedOut();
      else setFailure(answer.error.message);
    });
  }, [attempt]);
  if (me === null) return <SignInPage />;
  if (me === undefined && failure)
    return (
      <main className="frame-failure">
        <Notice tone="warn">
          <p>{failure}</p>
        </Notice>
        <button
          className="button"
          type="button"
          onClick={() => {
            setFailure("");
            setAttempt(attempt + 1);
          }}
        >
          Повторить
        </button>
      </main>
    );
  if (me === undefined) return <LoadingScreen />;
  return <SignedInFrame />;
}

/** The parts of the address that change what a screen shows; a filter of the same list leaves its forms as they are. */
const placeParts = ["view", "invite", "hedge"] as const;
const placeOf = ({ pathname, search }: Location): string => {
  const params = new URLSearchParams(search);
  return [pathname, ...placeParts.map((name) => params.get(name) ?? "")].join(" ");
};

/** Asks for confirmation before a screen with unsaved entries is left or reloaded. */
function useLeaveGuard(): void {
  useEffect(watchTyping, []);
  useEffect(watchWrongFields, []);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => placeOf(currentLocation) !== placeOf(nextLocation) && hasUnsaved());
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void mayGiveUp().then((isGivenUp) => (isGivenUp ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
}

/** Beside the rail a tablet has little space. A phone has the sections above the screen instead. */
const firstFold = (): string => (innerWidth > 700 && innerWidth < 1024 ? "folded" : "wide");

function SignedInFrame() {
  useWaitingPolls();
  useLeaveGuard();
  const [isFolded, setFolded] = useState(() => (localStorage.getItem(foldKey) ?? firstFold()) === "folded");
  const fold = () => {
    localStorage.setItem(foldKey, isFolded ? "wide" : "folded");
    setFolded(!isFolded);
  };
  useKeyboard();
  useKeys([
    { code: "Ctrl+KeyK", label: "Найти", run: () => showOverlay("palette") },
    { code: "BracketLeft", label: "Свернуть разделы", run: fold },
    { code: "Shift+Slash", label: "Клавиши", run: () => showOverlay("keys") },
  ]);
  return (
    <Toast.Provider toastManager={toasts} limit={3}>
      <a className="skip" href="#main">
        К содержанию
      </a>
      <div className={isFolded ? "office-app office-app--fold" : "office-app"}>
        <TopBar />
        <Rail isFolded={isFolded} onFold={fold} />
        <main className="main" id="main" tabIndex={-1}>
          <Suspense fallback={<LoadingScreen />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Palette />
      <KeySheet />
      <ConfirmHost />
      <PromptOverlay />
      <ToastList />
      <ScrollRestoration />
    </Toast.Provider>
  );
}
