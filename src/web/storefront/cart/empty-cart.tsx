import { useState } from "react";
import { Link } from "react-router";
import { ButtonLink } from "../../ui/button.tsx";
import { coinForms, counted } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";

/** An empty capsule for a quarter of an ounce, and ways to fill it; after clearing, also the way back. */
export function EmptyCart({ wished, onRestore }: { wished: number; onRestore?: (() => Promise<void>) | undefined }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <div className="nilbox">
      <svg viewBox="0 0 300 230" role="img" aria-label="Пустая капсула диаметром 22,6 мм">
        <circle cx="150" cy="96" r="92" /><circle cx="150" cy="96" r="78" strokeDasharray="2 4" /><circle cx="150" cy="96" r="88" strokeDasharray="1 3" />
        <path d="M72 200v14M228 200v14M72 207h48M180 207h48" /><text x="150" y="211">22,6 мм</text>
      </svg>
      <div>
        <h2>Здесь пока пусто</h2>
        <p>Место готово: капсула на четверть унции. Чаще всего начинают с «Георгия Победоносца», его проще всего продать обратно.</p>
        <div className="nilbox__go">
          <ButtonLink to="/catalog">Выбрать монету</ButtonLink>
          {onRestore ? <button className="btn btn--line" type="button" disabled={isBusy} onClick={async () => { setBusy(true); await onRestore(); setBusy(false); }}>Вернуть, что было</button> : null}
          {wished > 0 ? <Link className="more" to="/wishlist">Избранное, {counted(wished, coinForms)} <Icon name="right" /></Link> : null}
        </div>
      </div>
    </div>
  );
}
