/**
 * JavaScript of the same meaning with every other character written as `\uXXXX`: V8 stores the whole text of a module with two bytes a
 * character if one of them needs it. The raw strings of template tags (`String.raw`) would change; comments stay comments.
 */
export const asciiCode = (code: string): string =>
  // A backslash before such a character, which says nothing, would make a backslash of the escape.
  code.replaceAll(/(\\*)([^\0-\u007f])/g, (_, backslashes: string, unit: string) => {
    const kept = backslashes.length % 2 === 0 ? backslashes : backslashes.slice(1);
    return `${kept}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
