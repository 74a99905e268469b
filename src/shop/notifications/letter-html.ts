import type { Letter, LetterRow, LetterSection } from "./letter.ts";

/**
 * The colours of `web/styles/tokens.css` as inline values: mail programs support neither variables nor linked styles.
 * Layout uses tables, because Outlook renders with Word (caniemail.com, 2026).
 */
const colour = {
  paper: "#f6f1e7",
  lift: "#fbf8f2",
  ink: "#1a1713",
  soft: "#6f6453",
  rule: "#ddd3c1",
  gold: "#7d5f1d",
  night: "#16130f",
  onNight: "#f1eadc",
  leaf: "#d2b36b",
};
const sans = "font-family:'Golos Text','Helvetica Neue',Arial,sans-serif";
const serif = "font-family:Oranienbaum,Prata,'Times New Roman',serif";
const paragraph = `margin:0 0 16px;${sans};font-size:16px;line-height:1.5;color:${colour.ink}`;
const smallPrint = `margin:0 0 16px;${sans};font-size:13px;line-height:1.5;color:${colour.soft}`;
const cell = `${sans};font-size:15px;line-height:1.4;color:${colour.ink};padding:8px 0;border-bottom:1px solid ${colour.rule}`;

/**
 * The HTML of a letter: one column of at most 600 px, no images and no external files, so that opening it causes no request.
 * All values are escaped; URLs in texts become links.
 */
export function letterHtml({ subject, sections }: Letter, { shopName, publicUrl }: { shopName: string; publicUrl: string }): string {
  const body = sections.map(htmlOfSection).join("\n");
  const table = `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;
  const name = `${serif};font-size:26px;line-height:1;color:${colour.onNight};text-decoration:none`;
  return `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:0;background:${colour.paper}">
${table} style="background:${colour.paper}"><tr><td align="center" style="padding:24px 12px">
${table} style="max-width:600px;background:${colour.lift};border:1px solid ${colour.rule}">
<tr><td style="padding:20px 28px;background:${colour.night}">
<a href="${escape(publicUrl)}" style="${name}">${escape(shopName)}</a></td></tr>
<tr><td style="padding:28px 28px 12px">
${body}
</td></tr></table>
</td></tr></table>
</body></html>
`;
}

function htmlOfSection(section: LetterSection): string {
  switch (section.kind) {
    case "text":
      return `<p style="${paragraph}">${textToHtml(section.text)}</p>`;
    case "order":
      return orderTable(section);
    case "link":
      return section.isMain ? button(section) : `<p style="${paragraph}">${escape(section.label)}: ${link(section.url)}</p>`;
    case "small":
      return `<p style="${smallPrint}">${textToHtml(section.text)}</p>`;
    case "signature":
      return `<p style="${smallPrint};padding-top:16px;border-top:1px solid ${colour.rule}">${textToHtml(section.text)}</p>`;
  }
}

function orderTable({ title, rows, sums }: Extract<LetterSection, { kind: "order" }>): string {
  const lines = rows.map(
    ({ title: name, quantity, amount }: LetterRow) =>
      `<tr><td style="${cell}">${escape(name)}<br>` +
      `<span style="color:${colour.soft}">${escape(quantity)}</span></td>${amountCell(amount)}</tr>`,
  );
  const totals = sums.map(({ label, amount }, index) => {
    const weight = index === sums.length - 1 ? ";font-weight:bold" : "";
    return `<tr><td style="${cell}${weight}">${escape(label)}</td>${amountCell(amount, weight)}</tr>`;
  });
  return `<h2 style="margin:8px 0;${serif};font-size:22px;font-weight:normal;color:${colour.ink}">${escape(title.replace(/:$/, ""))}</h2>
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;border-top:1px solid ${colour.rule}">
${[...lines, ...totals].join("\n")}
</table>`;
}

const amountCell = (amount: string, weight = ""): string =>
  `<td align="right" valign="top" style="${cell};padding-left:16px;white-space:nowrap${weight}">${escape(amount)}</td>`;

const button = ({ label, url }: { label: string; url: string }): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px">` +
  `<tr><td style="background:${colour.gold}">` +
  `<a href="${escape(url)}" style="display:inline-block;padding:14px 24px;${sans};font-size:16px;color:#ffffff;text-decoration:none">` +
  `${escape(label)}</a></td></tr></table>`;

const link = (url: string): string => `<a href="${escape(url)}" style="color:${colour.gold}">${escape(url)}</a>`;

/** Escaped text with line breaks; every URL becomes a link. */
function textToHtml(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
    .map((part, index) => (index % 2 === 1 ? link(part) : escape(part)))
    .join("")
    .replaceAll("\n", "<br>");
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
