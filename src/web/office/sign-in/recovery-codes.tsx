import { saveFile } from "../client.ts";

/** New recovery codes, shown once: to copy or to save as a file, and a button that confirms that they are stored. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const text = codes.join("\n");
  return (
    <div className="recovery-codes">
      <p>Запасные коды пускают без телефона и ключа, каждый один раз. Больше мы их не покажем.</p>
      <ol>
        {codes.map((code) => (
          <li className="number" key={code}>
            {code}
          </li>
        ))}
      </ol>
      <div className="actions">
        <button
          className="button"
          type="button"
          onClick={() => saveFile({ name: "chekan-zapasnye-kody.txt", content: new Blob([text], { type: "text/plain" }) })}
        >
          Сохранить файлом
        </button>
        <button className="button" type="button" onClick={() => void navigator.clipboard.writeText(text)}>
          Скопировать
        </button>
        <button className="button button--gold" type="button" onClick={onSaved}>
          Коды у меня
        </button>
      </div>
    </div>
  );
}
