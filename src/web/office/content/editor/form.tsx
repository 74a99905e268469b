import { useState, type ReactNode } from "react";
import { ownPictures } from "#shop/content/site/own-pictures.ts";
import { Check, Field, Select, TextArea } from "../../ui/form/field.tsx";
import { DateInput } from "../../ui/form/date-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ArticleField } from "./article-field.tsx";
import { CoinField, CoinsField } from "./coin-fields.tsx";
import { CoverField } from "./cover-field.tsx";
import { blockSpecs, filmNames, newBlock, type FieldSpec, type Value } from "../specs.ts";
import { QuestionGroupField } from "./question-group-field.tsx";
import { FilmDrop, PictureDrop } from "./upload.tsx";
import { fromField, textOf as text, toField } from "../words.ts";

type Errors = Readonly<Record<string, string>>;
type FormProps = {
  specs: readonly FieldSpec[];
  value: Value;
  /** Messages by path, `blocks.0.content.coin`. */
  errors: Errors;
  /** The path of `value` in the whole data. */
  path?: string;
  onChange: (value: Value) => void;
};

/** The fields of a text, a part of the site or a block. */
export function Fields({ specs, value, errors, path = "", onChange }: FormProps) {
  return specs.map((spec) => (
    <OneField
      key={spec.name}
      spec={spec}
      value={value[spec.name]}
      errors={errors}
      path={path === "" ? spec.name : `${path}.${spec.name}`}
      onChange={(each) => onChange({ ...value, [spec.name]: each })}
    />
  ));
}

type OneProps<T extends FieldSpec = FieldSpec> = {
  spec: T;
  value: unknown;
  errors: Errors;
  path: string;
  onChange: (value: unknown) => void;
};

/** The picture is inserted at the end of the text, from where the editor moves it; its description is written in the brackets. */
const withPicture = (markdown: string, address: string): string => `${markdown.trimEnd()}\n\n![Что на картинке](${address})`.trimStart();

const isBelow = (errors: Errors, path: string): boolean => Object.keys(errors).some((each) => each === path || each.startsWith(`${path}.`));

function OneField({ spec, value, errors, path, onChange }: OneProps) {
  const common = { label: spec.label, hint: spec.hint, error: errors[path] };
  switch (spec.type) {
    case "line":
      return (
        <Field
          {...common}
          value={text(value)}
          onChange={({ target }) => onChange(spec.isNullable && target.value.trim() === "" ? null : target.value)}
        />
      );
    case "area":
      return <TextArea {...common} rows={3} value={text(value)} onChange={({ target }) => onChange(target.value)} />;
    case "markdown":
      return (
        <>
          <TextArea {...common} rows={18} value={text(value)} onChange={({ target }) => onChange(target.value)} />
          <PictureDrop label="Вставить картинку в текст" onStored={(address) => onChange(withPicture(text(value), address))} />
        </>
      );
    case "day":
      return <DateInput {...common} value={value as string | null} onChange={(day) => onChange(day ?? "")} />;
    case "moment":
      return (
        <Field
          {...common}
          type="datetime-local"
          value={toField((value as string | null) ?? null)}
          onChange={({ target }) => onChange(fromField(target.value))}
        />
      );
    case "number":
      return <Field {...common} type="number" min={0} value={text(value)} onChange={({ target }) => onChange(target.valueAsNumber || 0)} />;
    case "check":
      return (
        <>
          <Check checked={value === true} onChange={({ target }) => onChange(target.checked)}>
            {spec.label}
          </Check>
          <Wrong text={errors[path]} />
        </>
      );
    case "lines":
      return <Parts {...common} separator={"\n"} value={value as string[]} onChange={onChange} />;
    case "words":
      return <Parts {...common} separator="," value={value as string[]} onChange={onChange} />;
    case "select":
      return <Select {...common} options={spec.options} value={text(value)} onChange={({ target }) => onChange(target.value)} />;
    case "picture":
      return <PictureField {...common} own={spec.own} value={text(value)} onChange={onChange} />;
    case "film":
      return <FilmField {...common} spec={spec} value={value as string | null} onChange={onChange} />;
    case "group":
      return (
        <fieldset className="form-group">
          <legend>{spec.label}</legend>
          <Fields specs={spec.fields} value={value as Value} errors={errors} path={path} onChange={onChange} />
        </fieldset>
      );
    case "checks":
      return <Checks spec={spec} value={value as string[]} onChange={onChange} />;
    case "link":
      return <LinkFields spec={spec} value={value} errors={errors} path={path} onChange={onChange} />;
    case "coin":
      return <CoinField {...common} isOptional={spec.isOptional} value={text(value)} onChange={onChange} />;
    case "coins":
      return <CoinsField {...common} value={value as string[]} onChange={onChange} />;
    case "cover":
      return <CoverField error={errors[`${path}.alt`] ?? errors[path]} value={value as never} onChange={onChange} />;
    case "article":
      return <ArticleField {...common} value={Number(value)} onChange={onChange} />;
    case "questionGroup":
      return <QuestionGroupField {...common} none={spec.none} value={text(value)} onChange={onChange} />;
    case "choice":
      return <ChoiceFields spec={spec} value={value} errors={errors} path={path} onChange={onChange} />;
    case "block": {
      const block = value as Value;
      const specs = blockSpecs[String(block["kind"])]?.fields ?? [];
      return <Fields specs={specs} value={block} errors={errors} path={path} onChange={onChange} />;
    }
    case "list":
      return <List spec={spec} value={value} errors={errors} path={path} onChange={onChange} />;
  }
}

const Wrong = ({ text: words }: { text: string | undefined }) =>
  words ? (
    <p className="hint hint--bad" role="alert">
      {words}
    </p>
  ) : null;

/** Several texts in one field, by line or by comma. What is typed stays as it is until it is saved. */
function Parts({
  separator,
  value,
  onChange,
  ...field
}: {
  label: ReactNode;
  hint?: string | undefined;
  error?: string | undefined;
  separator: "\n" | ",";
  value: readonly string[];
  onChange: (value: string[]) => void;
}) {
  const joined = value.join(separator === "," ? ", " : "\n");
  const [typed, setTyped] = useState(joined);
  const parts = (words: string) => words.split(separator).flatMap((each) => each.trim() || []);
  const shown = parts(typed).join("\0") === value.join("\0") ? typed : joined;
  const change = (words: string) => {
    setTyped(words);
    onChange(parts(words));
  };
  return separator === "," ? (
    <Field {...field} value={shown} onChange={({ target }) => change(target.value)} />
  ) : (
    <TextArea {...field} rows={4} value={shown} onChange={({ target }) => change(target.value)} />
  );
}

function Checks({
  spec,
  value,
  onChange,
}: {
  spec: Extract<FieldSpec, { type: "checks" }>;
  value: string[];
  onChange: (value: string[]) => void;
}) {
  return (
    <fieldset className="form-group">
      <legend>{spec.label}</legend>
      {spec.options.map(([id, name]) => (
        <Check
          key={id}
          checked={value.includes(id)}
          onChange={({ target }) => onChange(target.checked ? [...value, id] : value.filter((each) => each !== id))}
        >
          {name}
        </Check>
      ))}
    </fieldset>
  );
}

function LinkFields({ spec, value, errors, path, onChange }: OneProps<Extract<FieldSpec, { type: "link" }>>) {
  const link = value as { text: string; href: string } | null;
  return (
    <fieldset className="form-group">
      <legend>{spec.label}</legend>
      {spec.isOptional ? (
        <Check checked={link !== null} onChange={({ target }) => onChange(target.checked ? { text: "", href: "/" } : null)}>
          Есть
        </Check>
      ) : null}
      {link ? (
        <div className="form-pair">
          <Field
            label="Слова"
            value={link.text}
            error={errors[`${path}.text`]}
            onChange={({ target }) => onChange({ ...link, text: target.value })}
          />
          <Field
            label="Адрес"
            value={link.href}
            error={errors[`${path}.href`]}
            onChange={({ target }) => onChange({ ...link, href: target.value })}
          />
        </div>
      ) : null}
    </fieldset>
  );
}

type Choice = { by: "popular"; coins: string; count: number } | { by: "listed"; slugs: string[] };

function ChoiceFields({ spec, value, errors, path, onChange }: OneProps<Extract<FieldSpec, { type: "choice" }>>) {
  const choice = value as Choice;
  return (
    <fieldset className="form-group">
      <legend>{spec.label}</legend>
      <Select
        label="Как выбрать"
        options={[
          ["popular", "Самые покупаемые из тех, что есть"],
          ["listed", "Перечислить"],
        ]}
        value={choice.by}
        onChange={({ target }) =>
          onChange(target.value === "listed" ? { by: "listed", slugs: [] } : { by: "popular", coins: "bullion", count: 6 })
        }
      />
      {choice.by === "popular" ? (
        <div className="form-pair">
          <Select
            label="Вид"
            options={[
              ["bullion", "Инвестиционные"],
              ["memorable", "Памятные"],
            ]}
            value={choice.coins}
            onChange={({ target }) => onChange({ ...choice, coins: target.value })}
          />
          <Field
            label="Сколько"
            type="number"
            min={1}
            max={12}
            value={choice.count}
            error={errors[`${path}.count`]}
            onChange={({ target }) => onChange({ ...choice, count: target.valueAsNumber || 0 })}
          />
        </div>
      ) : (
        <CoinsField
          label="Монеты"
          value={choice.slugs}
          error={errors[`${path}.slugs`]}
          onChange={(slugs) => onChange({ ...choice, slugs: slugs as string[] })}
        />
      )}
    </fieldset>
  );
}

const ownPictureWords: Readonly<Record<string, string>> = { capsule: "Монета в капсуле" };

const ownPictureOptions = ownPictures.map((name) => [name, ownPictureWords[name] ?? `Картинка блога ${name.slice(5)}`] as const);

/** A picture of the shop's own by its name, or an uploaded one. */
function PictureField({
  value,
  own = ownPictureOptions,
  ...field
}: {
  label: string;
  error?: string | undefined;
  own?: readonly (readonly [string, string])[] | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const isOwn = own.some(([name]) => name === value);
  const options = isOwn ? own : [[value, value === "" ? "Не выбрана" : "Загруженная"] as const, ...own];
  return (
    <fieldset className="form-group">
      <legend>{field.label}</legend>
      <Select label="Какая" error={field.error} options={options} value={value} onChange={({ target }) => field.onChange(target.value)} />
      {isOwn || value === "" ? null : <img className="cover" src={value} alt="" />}
      <PictureDrop label="Загрузить свою" onStored={field.onChange} />
    </fieldset>
  );
}

const filmOptions = Object.entries(filmNames);

/** A file of a film: one of the shop's own by its name, or an uploaded one. */
function FilmField({
  spec: { format, isNullable = false },
  value,
  hint,
  ...field
}: {
  spec: { format: "mp4" | "webm"; isNullable?: boolean };
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const isUploaded = value !== null && value.startsWith("/");
  const options = [
    ...(isNullable || !value ? [["", isNullable ? "Нет" : "Не выбран"] as const] : []),
    ...(isUploaded ? [[value, "Загруженный"] as const] : []),
    ...filmOptions.map(([name, words]) => [name, words] as const),
  ];
  return (
    <fieldset className="form-group">
      <legend>{field.label}</legend>
      <Select
        label="Какой"
        error={field.error}
        hint={hint}
        options={options}
        value={value ?? ""}
        onChange={({ target }) => field.onChange(isNullable && target.value === "" ? null : target.value)}
      />
      {isUploaded ? <video className="cover" src={value} controls muted preload="metadata" /> : null}
      <FilmDrop format={format} onStored={field.onChange} />
    </fieldset>
  );
}

/** A list whose items are moved by buttons, opened one by one, and removed. */
function List({ spec, value, errors, path, onChange }: OneProps<Extract<FieldSpec, { type: "list" }>>) {
  const items = value as Value[];
  const [opened, setOpened] = useState<number | null>(null);
  const [kind, setKind] = useState("banner");
  const isBlocks = spec.add === "";
  const put = (index: number, item: Value) => onChange(items.with(index, item));
  const move = (index: number, by: number) => {
    const [item] = items.slice(index, index + 1);
    const rest = items.toSpliced(index, 1);
    if (item) onChange(rest.toSpliced(index + by, 0, item));
    if (opened === index) setOpened(index + by);
    else if (opened === index + by) setOpened(index);
  };
  const add = () => {
    onChange([...items, isBlocks ? newBlock(kind) : spec.make()]);
    setOpened(items.length);
  };
  return (
    <fieldset className="form-group form-list">
      <legend>{spec.label}</legend>
      <Wrong text={errors[path]} />
      <ol>
        {items.map((item, index) => {
          const name = spec.titleOf(item);
          const isOpen = opened === index || isBelow(errors, `${path}.${index}`);
          return (
            <li key={text(item["id"]) || index}>
              <div className="form-list__head">
                <button className="text-button" type="button" aria-expanded={isOpen} onClick={() => setOpened(isOpen ? null : index)}>
                  {name}
                </button>
                {item["isOn"] === false ? <span className="soft">выключен</span> : null}
                <span className="form-list__acts">
                  <button
                    className="button button--quiet button--small"
                    type="button"
                    aria-label={`Выше: ${name}`}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  >
                    ↑
                  </button>
                  <button
                    className="button button--quiet button--small"
                    type="button"
                    aria-label={`Ниже: ${name}`}
                    disabled={index === items.length - 1}
                    onClick={() => move(index, 1)}
                  >
                    ↓
                  </button>
                  <button
                    className="button button--quiet button--small"
                    type="button"
                    aria-label={`Убрать: ${name}`}
                    onClick={() => onChange(items.toSpliced(index, 1))}
                  >
                    <Icon name="close" size="small" />
                  </button>
                </span>
              </div>
              {isOpen ? (
                <div className="form-list__body">
                  <Fields
                    specs={spec.fields}
                    value={item}
                    errors={errors}
                    path={`${path}.${index}`}
                    onChange={(each) => put(index, each)}
                  />
                </div>
              ) : null}
            </li>
          );
        })}
      </ol>
      <div className="form-list__add">
        {isBlocks ? (
          <Select
            label="Новый блок"
            options={Object.entries(blockSpecs).map(([id, { name }]) => [id, name] as const)}
            value={kind}
            onChange={({ target }) => setKind(target.value)}
          />
        ) : null}
        <button className="button button--small" type="button" onClick={add}>
          {isBlocks ? "Добавить блок" : spec.add}
        </button>
      </div>
    </fieldset>
  );
}
