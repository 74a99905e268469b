import { saveFile } from "../client.ts";

/**
 * New recovery codes, shown once: to copy or to save as a file, and a button that confirms that they are stored. They stand in for the code
 * of the application beside a password; who has none confirms with them, but cannot sign in.
 */
export function RecoveryCodes({ codes, hasPassword, onSaved }: { codes: readonly string[]; hasPassword: boolean; onSaved: () => void }) {
  const text = codes.join("\n");
  return (
    <div className="recovery-codes">
      <p>
        {hasPassword
          ? "Запасной код заменяет код из приложения: для входа нужен и пароль. "
          : "Запасным кодом подтверждают действие, когда ключа нет под рукой. Войти одним кодом нельзя: добавьте второй ключ на другом устройстве. "}
        Каждый действует один раз, больше мы их не покажем.
      </p>
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
