import type { Brand } from './brand.ts';
import type { Block, MailContent } from './content.ts';
import { textDirection, type BuiltIn, pick } from '../locale.ts';
import { escapeHtml, checkLink, oneLine } from './text.ts';

/** A mail in the form in which it is sent. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** Maximum characters of a subject: mail programs show no more, and RFC 5322 section 2.1.1 limits a line to 998. */
const MOST_SUBJECT = 150;

interface LayoutWords {
  /** The text above the link that repeats the address of a button. */
  fallback: string;
  questions: (address: string) => string;
}

const LAYOUT: BuiltIn<LayoutWords> = {
  en: {
    fallback: 'If the button does not work, open this address:',
    questions: (address) => `Questions? Write to ${address}.`,
  },
  de: {
    fallback: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
    questions: (address) => `Fragen? Schreiben Sie an ${address}.`,
  },
  fr: {
    fallback: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
    questions: (address) => `Des questions ? Écrivez à ${address}.`,
  },
  es: {
    fallback: 'Si el botón no funciona, abra esta dirección:',
    questions: (address) => `¿Preguntas? Escriba a ${address}.`,
  },
};

/**
 * Renders a mail's content with a brand, as plain text and as HTML that is readable without pictures, scripts or style
 * sheets.
 */
export function renderMail(content: MailContent, brand: Brand, locale: string): Mail {
  const words = pick(LAYOUT, [locale]).words;
  return {
    subject: oneLine(content.subject, MOST_SUBJECT),
    text: renderText(content, brand, words),
    html: renderHtml(content, brand, words, locale),
  };
}

function renderText(content: MailContent, brand: Brand, words: LayoutWords): string {
  const footer = brand.supportEmail === undefined ? [] : [words.questions(brand.supportEmail)];
  const parts = [
    oneLine(content.heading),
    ...content.blocks.map(blockText),
    ['-- ', oneLine(brand.name), ...footer].join('\n'),
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
    case 'paragraph':
    case 'note':
      return oneLine(block.text);
  }
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function renderHtml(content: MailContent, brand: Brand, words: LayoutWords, locale: string): string {
  const safe = (text: string): string => escapeHtml(oneLine(text));
  const logo =
    brand.logoUrl === undefined
      ? `<strong style="font-size:18px">${safe(brand.name)}</strong>`
      : `<img src="${escapeHtml(checkLink(brand.logoUrl))}" alt="${safe(brand.name)}" height="48" style="max-height:48px;border:0">`;
  const footer = [brand.name, ...(brand.supportEmail === undefined ? [] : [words.questions(brand.supportEmail)])];
  return `<!DOCTYPE html>
<html lang="${safe(locale)}" dir="${textDirection(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${safe(content.subject)}</title>
</head>
<body style="margin:0;background:#f4f5f7;color:#1a1c20;${FONT};font-size:16px;line-height:1.5">
<div style="display:none;max-height:0;overflow:hidden">${safe(content.preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:8px"><tr><td style="padding:32px">
<p style="margin:0 0 24px">${logo}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${safe(content.heading)}</h1>
${content.blocks.map((block) => blockHtml(block, brand, words)).join('\n')}
</td></tr></table>
<p style="margin:16px 0 0;font-size:13px;color:#565b66">${footer.map(safe).join('<br>')}</p>
</td></tr></table>
</body>
</html>
`;
}

function blockHtml(block: Block, brand: Brand, words: LayoutWords): string {
  const safe = (text: string): string => escapeHtml(oneLine(text));
  switch (block.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 16px">${safe(block.text)}</p>`;
    case 'note':
      return `<p style="margin:0 0 12px;font-size:14px;color:#565b66">${safe(block.text)}</p>`;
    case 'list':
      return `<ul style="margin:0 0 16px;padding:0 24px">${block.items.map((item) => `<li>${safe(item)}</li>`).join('')}</ul>`;
    case 'code':
      return `<p style="margin:0 0 16px;font-size:32px;letter-spacing:6px;font-family:monospace"><strong>${safe(block.code)}</strong></p>`;
    case 'action': {
      const href = escapeHtml(checkLink(block.url));
      const style = `display:inline-block;padding:12px 20px;border-radius:6px;background:${brand.colour};color:${readableOn(brand.colour)};text-decoration:none`;
      return (
        `<p style="margin:0 0 16px"><a href="${href}" style="${style}"><strong>${safe(block.label)}</strong></a></p>\n` +
        `<p style="margin:0 0 16px;font-size:13px;color:#565b66">${safe(words.fallback)}<br><a href="${href}" style="color:#1a1c20;word-break:break-all">${href}</a></p>`
      );
    }
  }
}

/** Black or white, whichever has the higher contrast on a colour (WCAG 2.2, contrast ratio by relative luminance). */
export function readableOn(colour: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}
