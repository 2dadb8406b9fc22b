import * as z from 'zod';

import { CAPTCHA_PROVIDERS } from '../../../../functions/kernel/pages/captcha.ts';
import { type Html, html } from '../../../../functions/kernel/pages/html.ts';
import type { Entered } from './editor.ts';

/** The settings of the brand that have operations of their own, as texts of fields. */
export interface Further {
  /** The own style rules. */
  css: string;
  /** The own texts as JSON. */
  texts: string;
  /** The captcha; the provider is empty without one. The secret key is never shown. */
  captcha: { provider: string; site_key: string; fail_open: boolean };
}

const Style = z.object({ css: z.string() });
const Captcha = z.object({ provider: z.string().nullable(), site_key: z.string(), fail_open: z.boolean() });

/** Reads the settings from the responses of their operations. */
export function readFurther(texts: object, style: unknown, captcha: unknown): Further {
  const { provider, ...rest } = Captcha.parse(captcha);
  const isEmpty = Object.keys(texts).length === 0;
  return {
    css: Style.parse(style).css,
    texts: isEmpty ? '' : JSON.stringify(texts, null, 2),
    captcha: { provider: provider ?? '', ...rest },
  };
}

/** The forms of `Further` by the last segment of their address. */
export const FURTHER_FORMS = ['brand-style', 'brand-texts', 'brand-captcha'] as const;
export type FurtherForm = (typeof FURTHER_FORMS)[number];

/** The settings with the fields of a rejected form. */
export function enterFurther(current: Further, entered: Entered): Further {
  const { css = current.css, texts = current.texts } = entered;
  const captcha =
    entered.site_key === undefined
      ? current.captcha
      : { provider: entered.provider ?? '', site_key: entered.site_key, fail_open: entered.fail_open === 'true' };
  return { css, texts, captcha };
}

/** Parses own texts. @returns undefined if they are not JSON of an object */
export function parseTexts(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The forms for style rules, own texts and the captcha.
 * @param chosen the page and the language that are shown after the change
 * @param open the form that was rejected
 */
export function furtherForms(
  { css, texts, captcha }: Further,
  chosen: { show: string; locale: string },
  open: FurtherForm | undefined,
): Html {
  const form = (name: FurtherForm, title: string, hint: Html, fields: Html): Html =>
    html`<details class="card" id="${name}" ${open === name && html`open`}>
      <summary>${title}</summary>
      <form class="card" method="post" action="${`/_local/actions/${name}`}">
        <input type="hidden" name="show" value="${chosen.show}" />
        <input type="hidden" name="locale" value="${chosen.locale}" />
        <input type="hidden" name="form" value="${name}" />
        <p class="hint">${hint}</p>
        ${fields}
        <button class="main">Save</button>
      </form>
    </details>`;
  return html`${form(
    'brand-style',
    'Own style rules',
    html`CSS for the pages of sign-in, sign-up and passwords (<code>PUT /x/pages/style</code>). Pages of consent,
      approval and second factors do not have it. <a href="/docs/guides/pages">What it can contain</a>.`,
    html`<label>CSS <textarea name="css" rows="8" spellcheck="false">${css}</textarea></label>`,
  )}
  ${form(
    'brand-texts',
    'Own texts of the pages',
    html`By language and key, as the member <code>texts</code> of <code>PUT /x/pages/settings</code>, such as
      <code>{"en": {"sign_in.lead": "Welcome to {brand}."}}</code>.`,
    html`<label>Texts as JSON <textarea name="texts" rows="8" spellcheck="false">${texts}</textarea></label>`,
  )}
  ${form(
    'brand-captcha',
    'Captcha',
    html`For the pages that send mail to any address (<code>PUT /x/pages/captcha</code>). The secret key is stored
      encrypted and not shown: enter it with each change.`,
    html`<div class="thirds">
      <label
        >Provider
        <select name="provider">
          ${['', ...CAPTCHA_PROVIDERS].map(
            (name) =>
              html`<option value="${name}" ${name === captcha.provider && html`selected`}>${name || 'none'}</option>`,
          )}
        </select></label
      >
      <label>Site key <input name="site_key" value="${captcha.site_key}" autocomplete="off" /></label>
      <label>Secret key <input name="secret_key" type="password" autocomplete="off" /></label>
      <label class="check"
        ><input type="checkbox" name="fail_open" value="true" ${captcha.fail_open && html`checked`} /> Accept forms
        while the provider cannot be reached</label
      >
    </div>`,
  )}`;
}
