import type { Brand } from './brand.ts';
import type { Block } from './content.ts';
import type { Setting } from './template.ts';
import { checkLink, escapeHtml, oneLine } from './text.ts';

export const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";

/**
 * The only style sheet of a mail: the colours for readers with a dark scheme. Programs that ignore it show the light colours,
 * which are inline. Outlook's own dark scheme marks what it changes by `data-ogsc`, and its colours are the same.
 */
export const DARK_STYLE =
  ':root{color-scheme:light dark;supported-color-schemes:light dark}.dark-only{display:none}' +
  '@media (prefers-color-scheme:dark){.back{background:#0d1016!important}.card{background:#171b23!important}' +
  '.text,.text a{color:#eef1f6!important}.quiet,.quiet a{color:#a9b0bd!important}.field{background:#232936!important;' +
  'border-color:#394152!important;color:#ffffff!important}.has-dark{display:none!important}' +
  '.dark-only{display:inline-block!important;max-height:none!important}}' +
  '[data-ogsc] .text{color:#eef1f6!important}[data-ogsc] .quiet{color:#a9b0bd!important}';

const safe = (text: string): string => escapeHtml(oneLine(text));

/** The logo, or the name if there is no logo. If there are two logos, mail programs without a dark scheme show the light one. */
export function logoHtml({ name, logoUrl, darkLogoUrl }: Brand): string {
  if (logoUrl === undefined) return `<strong class="text" style="font-size:18px">${safe(name)}</strong>`;
  const picture = (url: string, attributes: string): string =>
    `<img src="${escapeHtml(checkLink(url))}" alt="${safe(name)}" height="48" ${attributes}>`;
  const style = 'height:48px;width:auto;max-width:240px;border:0';
  if (darkLogoUrl === undefined) return picture(logoUrl, `style="${style}"`);
  const dark = picture(darkLogoUrl, `class="dark-only" style="display:none;max-height:0;mso-hide:all;${style}"`);
  return `${picture(logoUrl, `class="has-dark" style="${style}"`)}<!--[if !mso]><!-->${dark}<!--<![endif]-->`;
}

/**
 * A block of a mail as HTML.
 * @param onColour the colour of text on the brand's colour
 */
export function blockHtml(block: Block, setting: Setting, onColour: string): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p class="text" style="margin:0 0 16px;overflow-wrap:anywhere">${safe(block.text)}</p>`;
    case 'note':
      return `<p class="quiet" style="margin:0 0 12px;font-size:14px;color:#565b66;overflow-wrap:anywhere">${safe(block.text)}</p>`;
    case 'list':
      return `<ul class="text" style="margin:0 0 16px;padding:0 24px">${block.items.map((item) => `<li style="overflow-wrap:anywhere">${safe(item)}</li>`).join('')}</ul>`;
    case 'code':
      return codeHtml(block.code);
    case 'facts':
      return factsHtml(block);
    case 'action':
      return actionHtml(block, setting, onColour);
  }
}

/** The code in a separate block, which one click or touch selects. */
const codeHtml = (code: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr>` +
  `<td class="field" align="center" bgcolor="#f4f5f7" dir="ltr" style="padding:16px 8px;border:1px solid #d9dce3;border-radius:8px;` +
  `background:#f4f5f7;color:#1a1c20;font-size:32px;line-height:1.2;letter-spacing:6px;${MONO};-webkit-user-select:all;user-select:all">` +
  `<strong>${safe(code)}</strong></td></tr></table>`;

const factsHtml = ({ lead, items }: Extract<Block, { kind: 'facts' }>): string =>
  `<p class="quiet" style="margin:0 0 12px;font-size:14px;color:#565b66;overflow-wrap:anywhere">${safe(lead)}${items
    .map(({ label, value }) => `<br>${safe(label)}: <strong class="text"><bdi>${safe(value)}</bdi></strong>`)
    .join('')}</p>`;

/** Height of the button in Outlook, in pixels. */
const VML_HEIGHT = 46;

/**
 * The button with its address as text below. Its padding is that of a table cell, and Outlook for Windows gets a shape of its
 * own (VML), because that program ignores the padding of links.
 */
function actionHtml({ url, label }: Extract<Block, { kind: 'action' }>, setting: Setting, onColour: string): string {
  const { brand, translate } = setting;
  const href = escapeHtml(checkLink(url));
  const text = safe(label);
  const width = Math.min(496, 60 + [...label].length * 11);
  const link = `display:inline-block;padding:12px 20px;border:1px solid ${brand.colour};border-radius:6px;color:${onColour};text-decoration:none;font-size:16px;${FONT}`;
  return (
    `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="${href}" ` +
    `style="height:${VML_HEIGHT}px;v-text-anchor:middle;width:${width}px" arcsize="13%" stroke="f" fillcolor="${brand.colour}"><w:anchorlock/>` +
    `<center style="color:${onColour};font-family:Arial,sans-serif;font-size:16px;font-weight:bold">${text}</center></v:roundrect><![endif]-->` +
    `<!--[if !mso]><!--><table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr>` +
    `<td align="center" bgcolor="${brand.colour}" style="border-radius:6px;background:${brand.colour}">` +
    `<a href="${href}" style="${link}"><strong style="color:${onColour}">${text}</strong></a></td></tr></table><!--<![endif]-->\n` +
    `<p class="quiet" style="margin:0 0 16px;font-size:13px;color:#565b66">${safe(translate('layout.fallback'))}<br>` +
    `<a href="${href}" dir="ltr" style="color:#1a1c20;word-break:break-all">${href}</a></p>`
  );
}
