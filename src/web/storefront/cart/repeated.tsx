/** The result of repeating an order: which coins are missing in part or entirely. */
export type Repeated = { number: number; left: { id: number; title: string; got: number; wanted: number }[] };

export function RepeatedNote({ repeated: { number, left } }: { repeated: Repeated }) {
  return (
    <div className="aside" role="status">
      <p>
        <b>Монеты из заказа {number} в корзине,</b> цены — на сейчас.{left.length > 0 ? " Не всё удалось повторить:" : ""}
      </p>
      {left.length > 0 ? (
        <ul>
          {left.map(({ id, title, got, wanted }) => (
            <li key={id}>
              {title}: {got === 0 ? "сейчас нет в наличии" : `есть только ${got} из ${wanted}`}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
