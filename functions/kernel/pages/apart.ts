/**
 * The page of an error. It needs the layout, the theme and the English texts, some 75 KiB, which a deployed function loads as a
 * file of its own with the first such page (`lib/stack/apart.ts`).
 */
export { errorPage } from './plain-error-page.ts';
