/**
 * Escapes a value for the text or an attribute of XML. Tabs and line ends become references, since a parser would turn those
 * of an attribute into spaces (XML 1.0 section 3.3.3). It is not in the file of the parser, which requests and metadata of
 * the service do not need.
 */
export const escapeXml = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
