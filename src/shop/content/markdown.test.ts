import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeHref, toHtml } from "./markdown.ts";
import { filled, filledMarkdown } from "./placeholders.ts";

describe("texts of the site", () => {
  test("headings start below the page's own, tables scroll inside themselves", () => {
    expect(toHtml("# Заголовок")).toBe("<h2>Заголовок</h2>\n");
    const table = toHtml("| | Монета |\n|---|---|\n| Цена | **10** ₽ |");
    expect(table).toMatch(/^<div class="table-scroll" tabindex="0" role="region"[^>]*><table>/);
    expect(table).toContain('<th scope="col">Монета</th>');
    expect(table).toContain('<td>Цена</td><td data-l="Монета"><strong>10</strong> ₽</td>');
  });

  test("links lead to the site or to http addresses only", () => {
    expect(toHtml("[каталог](/catalog/gold)")).toContain('<a href="/catalog/gold">каталог</a>');
    expect(toHtml("[ЦБ](https://www.cbr.ru/)")).toContain('<a href="https://www.cbr.ru/" rel="noopener nofollow">ЦБ</a>');
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil",
    "blob:https://x/1",
    "https://",
  ])("%j is not a link", (href) => expect(safeHref(href)).toBeNull());

  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](javascript&#58;alert(1))",
    "[x](&#106;avascript:alert(1))",
    "![x](https://evil.example/x.png)",
    "![x](javascript:alert(1))",
    '<a href="javascript:alert(1)">x</a>',
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "`<b>`",
    "    <iframe src=x>",
    "<svg/onload=alert(1)>",
    '[x](/a" onmouseover="alert(1))',
    '[x](</a" onclick="x>)',
    "| <b onclick=x> |\n|---|\n| <i> |",
    "<!--[if]><script>x</script>-->",
    "**<b onload=x>**",
    "```\n<script>\n```",
    '![" onerror="x](/media/scenes/a.webp)',
    "a <script> <img src=x onerror=alert(1) ",
    "a <kbd> [<svg onload=alert(1) ](/a)",
  ])("%j can do nothing", (markdown) => {
    const html = toHtml(markdown);
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)([^>]*)>/gi)];
    for (const [, name, attributes] of tags) {
      expect([
        "p",
        "a",
        "strong",
        "em",
        "code",
        "pre",
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "img",
        "h2",
        "ul",
        "li",
        "br",
      ]).toContain(name?.toLowerCase());
      expect(attributes?.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/\son\w+\s*=/i);
      expect(attributes).not.toMatch(/(href|src)="(?!\/|#|\?|https?:)/i);
    }
  });

  test("whatever the Markdown contains, only our own tags are produced", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      '"',
      "'",
      "&",
      "script",
      "onerror=",
      "[",
      "](",
      ")",
      "javascript:",
      "!",
      "`",
      "|",
      "\n",
      "#",
      "*",
      "&#60;",
      "data:",
      " ",
      "a",
      "{{",
      "}}",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = toHtml(pieces.join(""));
        expect(html).not.toMatch(
          /<(?!\/?(p|a|strong|em|del|code|pre|div|table|thead|tbody|tr|th|td|img|h[2-6]|ul|ol|li|br|hr|blockquote)[\s>/])/i,
        );
        for (const [, address] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) expect(address).toMatch(/^(\/|#|\?|https?:)/i);
      }),
      { numRuns: 500 },
    );
  });
});

describe("placeholders", () => {
  const values = { SHOP_NAME: "Чекан", EMAIL: "info_1@chekan.example", TRICK: "{{EMAIL}} <b>*x*</b>" };
  test("are filled from the owner's settings; a missing value becomes a dash, never braces", () => {
    expect(filled("{{SHOP_NAME}}, {{ EMAIL }}", values)).toBe("Чекан, info_1@chekan.example");
    expect(filled("ИНН {{INN}}, {{constructor}}, {{toString}}", values)).toBe("ИНН —, —, —");
    expect(filled("{{TRICK}}", values)).not.toMatch(/\{\{|\}\}/);
  });

  test("a value is text, not markup", () => {
    expect(toHtml(filledMarkdown("Пишите: {{TRICK}}", values))).not.toMatch(/<b>|<em>/);
    expect(toHtml(filledMarkdown("{{EMAIL}}", { EMAIL: "a_b_c@x.example" }))).toContain("a_b_c@x.example");
  });
});
