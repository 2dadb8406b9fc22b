/** Reports whether a text is an issuer: an https URL without query and fragment (RFC 8414 section 2), which is compared character by character. */
export const isIssuer = (text: string): boolean => URL.parse(text)?.protocol === 'https:' && !/[?#\s]/.test(text);

/** The colour of a text of six hexadecimal digits, with or without `#`, as `#rrggbb`; undefined for another text. */
export function readColour(text: string): string | undefined {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text) ?? [];
  return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}
