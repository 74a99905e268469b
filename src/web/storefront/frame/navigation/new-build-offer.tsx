import { useState } from "react";
import { useLocation } from "react-router";
import { Icon } from "../../../ui/icon.tsx";
import { useNewBuild } from "./use-new-build.ts";

/** Offers a page of the new build, quietly: whoever buys just now is not disturbed, and nobody is made to. */
export function NewBuildOffer() {
  const isOld = useNewBuild();
  const [isDeclined, setDeclined] = useState(false);
  const isBuying = useLocation().pathname === "/checkout";
  return (
    <div className="toasts toasts--offer" role="status">
      {isOld && !isDeclined && !isBuying ? (
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
      ) : null}
    </div>
  );
}
