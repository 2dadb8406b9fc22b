import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { readStoredSettings, stageSettings } from '../../../kernel/environment-settings.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { MAX_OWN_STYLE, ownStyleSettings } from '../../../kernel/pages/own-style.ts';

const PATH = '/x/pages/style';

const UpdateOwnStyle = z
  .object({
    css: z
      .string()
      .refine((text) => Buffer.byteLength(text) <= MAX_OWN_STYLE, `has at most ${MAX_OWN_STYLE} bytes`)
      .meta({
        maxLength: MAX_OWN_STYLE,
      })
      .describe(
        'CSS rules; an empty text removes them. The guide [Hosted pages](/docs/guides/pages#settings) lists the allowed selectors and properties.',
      ),
  })
  .meta({ id: 'UpdateOwnStyle' });

const common = {
  path: PATH,
  auth: apiKey,
  errorForm: messagesWith400,
  responses: { 200: ownStyleSettings.schema },
  errors: [],
  emits: [],
  idempotency: 'none',
} as const;

const getStyle = operation({
  ...common,
  id: 'pages.get_style',
  method: 'GET',
  operator: 'config.read',
  etag: true,
  summary: 'Get the own style rules of the hosted pages',
  handle: async ({ environmentId }) => ({
    status: 200,
    body: await readStoredSettings(environmentId, ownStyleSettings),
  }),
});

const updateStyle = operation({
  ...common,
  id: 'pages.update_style',
  method: 'PUT',
  operator: 'config.change',
  ifMatch: getStyle,
  summary: 'Replace the own style rules of the hosted pages',
  description:
    'These CSS rules change shapes, spaces, borders and type on the pages of sign-in, sign-up and passwords. Rules cannot hide, cover or move texts, change their ' +
    'colour, or load anything; the rules are not applied to pages of consent, approval and second factors. The response has the rules in the form ' +
    'in which they are stored. The pages use them within five seconds.',
  body: UpdateOwnStyle,
  async handle({ environmentId, body, unit, invalid }) {
    const { styles } = await import('./apart.ts');
    const checked = styles.checkStyle(body.css);
    if ('fault' in checked) {
      const { line, message } = checked.fault;
      throw invalid([{ field: 'css', code: 'css_not_allowed', message: `line ${line}: ${message}` }]);
    }
    const next = { css: checked.style };
    await stageSettings(unit, environmentId, ownStyleSettings, () => next);
    return { status: 200, body: next };
  },
});

export const ownStyleOperations = [getStyle, updateStyle] as const;
