import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messagesWith400 } from '../../kernel/http/refusal.ts';
import { pagesSettings } from '../settings.ts';

export const pagesSettingsOperations = settingsOperations(pagesSettings, {
  id: 'pages',
  path: '/x/pages/settings',
  subject: 'the hosted pages',
  description:
    'Brand, colours, font, links, words by language, the form of the first page, and how long a browser stays signed in. ' +
    'Colours are checked: text with too little contrast to its background (WCAG 2.2, 4.5 : 1) is rejected.',
  refusals: messagesWith400,
});
