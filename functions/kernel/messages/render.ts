import { textDirection } from '../locale.ts';
import { textOn } from '../pages/theme/colour.ts';
import type { Block, MailContent } from './content.ts';
import { blockHtml, DARK_STYLE, FONT, logoHtml } from './render-html.ts';
import type { Setting } from './template.ts';
import { checkLink, escapeHtml, oneLine } from './text.ts';

/** A mail in the form in which it is sent. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** Maximum characters of a subject: mail programs show no more, and RFC 5322 section 2.1.1 limits a line to 998. */
const MOST_SUBJECT = 150;

/** Renders a mail's content with a brand, as plain text and as HTML that is readable without pictures, scripts or styles. */
export function renderMail(content: MailContent, setting: Setting): Mail {
  return {
    subject: oneLine(content.subject, MOST_SUBJECT),
    text: renderText(content, setting),
    html: renderHtml(content, setting),
  };
}

const questions = ({ brand: { supportEmail }, translate }: Setting): string[] =>
  supportEmail === undefined ? [] : [translate('layout.questions', { address: supportEmail })];

function renderText(content: MailContent, setting: Setting): string {
  const parts = [
    oneLine(content.heading),
    ...content.blocks.map(blockText),
    ['-- ', oneLine(setting.brand.name), ...questions(setting).map((text) => oneLine(text))].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'list':
      return block.items.map((item) => `- ${oneLine(item)}`).join('\n');
    case 'action':
      return `${oneLine(block.label)}:\n${checkLink(block.url)}`;
    case 'code':
      return oneLine(block.code);
    case 'facts':
      return [block.lead, ...block.items.map(({ label, value }) => `- ${label}: ${value}`)]
        .map((line) => oneLine(line))
        .join('\n');
    case 'paragraph':
    case 'note':
      return oneLine(block.text);
  }
}

/** Invisible characters after the preview, so that mail programs do not fill it up with the first lines of the mail. */
const PREVIEW_END = '&#847;&zwnj;&nbsp;'.repeat(60);

function renderHtml(content: MailContent, setting: Setting): string {
  const { brand, locale } = setting;
  const safe = (text: string): string => escapeHtml(oneLine(text));
  const footer = [brand.name, ...questions(setting)].map(safe).join('<br>');
  const direction = textDirection(locale);
  return `<!DOCTYPE html>
<html lang="${safe(locale)}" dir="${direction}" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${safe(content.subject)}</title>
<style>${DARK_STYLE}</style>
</head>
<body class="back" style="margin:0;padding:0;background:#f4f5f7;color:#1a1c20;${FONT};font-size:16px;line-height:1.5">
<div style="display:none;max-height:0;overflow:hidden">${safe(content.preheader)}${PREVIEW_END}</div>
<table role="presentation" class="back" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f4f5f7" dir="${direction}"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" bgcolor="#ffffff" style="max-width:560px;background:#ffffff;border-radius:8px"><tr><td class="text" align="${direction === 'rtl' ? 'right' : 'left'}" style="padding:32px;color:#1a1c20;${FONT}">
<p style="margin:0 0 24px">${logoHtml(brand)}</p>
<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${safe(content.heading)}</h1>
${content.blocks.map((block) => blockHtml(block, setting, textOn(brand.colour))).join('\n')}
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
<p class="quiet" style="margin:16px 0 0;font-size:13px;color:#565b66;${FONT}">${footer}</p>
</td></tr></table>
</body>
</html>
`;
}
