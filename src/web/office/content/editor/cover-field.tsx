import { Field } from "../../ui/form/field.tsx";
import { PictureDrop } from "./upload.tsx";

type Cover = { picture: string; alt: string };

/** The cover of a text: a picture of its own with words, or one of the shop's. */
export function CoverField({
  value,
  error,
  onChange,
}: {
  value: Cover | null;
  error: string | undefined;
  onChange: (value: Cover | null) => void;
}) {
  return (
    <fieldset className="form-group">
      <legend>Обложка</legend>
      {value ? (
        <>
          <img className="cover" src={value.picture} alt={value.alt} />
          <Field
            label="Что на картинке"
            value={value.alt}
            error={error}
            onChange={({ target }) => onChange({ ...value, alt: target.value })}
          />
          <button className="button button--small" type="button" onClick={() => onChange(null)}>
            Вернуть картинку магазина
          </button>
        </>
      ) : (
        <>
          <p className="hint">Показываем одну из картинок магазина</p>
          <PictureDrop label="Загрузить обложку" onStored={(picture) => onChange({ picture, alt: "" })} />
        </>
      )}
    </fieldset>
  );
}
