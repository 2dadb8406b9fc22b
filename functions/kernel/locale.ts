/** A language tag (BCP 47) in its canonical spelling, such as `pt-BR`; undefined for what is none. */
export function canonicalLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}
