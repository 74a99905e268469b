import { millimetres } from "#kit/format.ts";
import type { Metal } from "#shop/catalog/coin.ts";
import { coinImage } from "#shop/catalog/image.ts";

/** The coin on a bank card beside a ten-rouble coin, drawn to scale in millimetres. */
export function TrueSize({
  picture,
  diameterMm,
  thicknessMm,
  totalMass,
  metal,
}: {
  picture: string;
  diameterMm: number;
  thicknessMm: number | null;
  totalMass: string;
  metal: Metal;
}) {
  // In the picture the coin takes 93.4 % of the width and sits 1.2 % above the middle.
  const side = diameterMm * 1.0702;
  const x = 49 - side / 2;
  const y = 30.5 - side * 0.4883;
  return (
    <section className="section">
      <div className="wrap life">
        <div>
          <svg viewBox="0 0 122 62" role="img" aria-label="Монета рядом с банковской картой и монетой 10 рублей, в одном масштабе">
            <rect className="life__card" x="0.2" y="4" width="85.6" height="53.98" rx="3.18" />
            <rect className="life__outline" x="8" y="20" width="11" height="8.5" rx="1.4" />
            <path className="life__outline" d="M8 24.25h3.5M15.5 24.25H19M11.5 20v8.5M15.5 20v8.5" />
            <text x="8" y="54">
              Банковская карта, 85,6 × 54 мм
            </text>
            <image
              href={coinImage(picture, "reverse", 160)}
              x={x.toFixed(2)}
              y={y.toFixed(2)}
              width={side.toFixed(2)}
              height={side.toFixed(2)}
              className={`life__coin--${metal}`}
            />
            <circle className="life__outline" cx="108.5" cy="29" r="11" />
            <circle className="life__outline" cx="108.5" cy="29" r="10.2" />
            <text x="108.5" y="29.9" textAnchor="middle">
              10 ₽
            </text>
            <text x="108.5" y="46" textAnchor="middle">
              22 мм
            </text>
          </svg>
        </div>
        <div>
          <h2>Настоящий размер</h2>
          <p>В одном масштабе: монета на банковской карте и обычные 10 рублей. Дома монету проверяют весами и штангенциркулем.</p>
          <ul>
            <li>
              <span>Весы покажут</span>
              <span className="digits">{totalMass}</span>
            </li>
            <li>
              <span>Диаметр</span>
              <span className="digits">{millimetres(diameterMm)}</span>
            </li>
            {thicknessMm !== null && (
              <li>
                <span>Толщина</span>
                <span className="digits">{millimetres(thicknessMm)}</span>
              </li>
            )}
            <li>
              <span>Магнит</span>
              <span>не притягивает</span>
            </li>
          </ul>
        </div>
      </div>
    </section>
  );
}
