import { useState } from "react";
import { useMatches } from "react-router";
import { Icon } from "../../../ui/icon.tsx";
import { handlesOf, rulesOf } from "../../page/page-handle.ts";
import { useNewBuild } from "./use-new-build.ts";

/** Offers to reload the page when the server runs a newer build; the visitor may decline. Not shown on pages where the visitor buys. */
export function NewBuildOffer() {
  const isOld = useNewBuild();
  const [isDeclined, setDeclined] = useState(false);
  const { isBuying } = rulesOf(handlesOf(useMatches()));
  if (!isOld || isDeclined || isBuying) return null;
  return (
    <div className="toast">
      <p>
        Сайт обновился.{" "}
        <button className="text-button text-button--inline" type="button" onClick={() => location.reload()}>
          Обновить страницу
        </button>
      </p>
      <button className="tool" type="button" aria-label="Не сейчас" onClick={() => setDeclined(true)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
