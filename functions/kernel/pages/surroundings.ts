import { findEnvironment } from '../authentication/environment.ts';
import { awaitAll } from '../concurrency.ts';
import { findSettings } from '../environment-settings.ts';
import { readMessageSettings } from '../messages/brand.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { chosenLanguage } from './language-choice.ts';
import { ownStyleSettings } from './own-style.ts';
import { type PagesSettings, pagesSettings } from './settings.ts';
import { type Language, languageFor } from './words/index.ts';

/** The environment's data that every page needs. */
export interface Surroundings {
  settings: PagesSettings;
  /** The name of the brand; undefined on a page that belongs to no environment. */
  brand: string | undefined;
  language: Language;
  /** The environment's own style rules, for the pages that take them. */
  ownStyle?: string | undefined;
}

type Asking = Pick<IncomingRequest, 'headers'> & Partial<Pick<IncomingRequest, 'cookies'>>;

/**
 * Reads the data of an environment for its pages. It reads nothing while the environment is cached, otherwise it takes one
 * GetItem.
 */
export async function findSurroundings(
  environmentId: string,
  asking: Asking,
  uiLocales?: string,
): Promise<Surroundings> {
  const { headers } = asking;
  const environment = await findEnvironment(environmentId);
  if (environment === undefined) return plainSurroundings(asking);
  const [settings, { css: ownStyle }] = await awaitAll([
    findSettings(environmentId, pagesSettings),
    findSettings(environmentId, ownStyleSettings),
  ]);
  const messages = readMessageSettings(environment);
  const brand = settings.brand_name ?? messages.brand.name;
  // The choice of the reader on a page counts more than the preferences of the application and the browser.
  const asked = [chosenLanguage(asking), uiLocales].filter(Boolean).join(' ');
  const preferences = { uiLocales: asked, acceptLanguage: headers['accept-language'], fallback: messages.locale };
  return {
    settings: { ...settings, logo_url: settings.logo_url ?? messages.brand.logoUrl ?? null },
    brand,
    ownStyle,
    language: await languageFor(preferences, settings.texts, { brand }),
  };
}

/** The data for a page whose environment is not known. */
export async function plainSurroundings(asking: Asking): Promise<Surroundings> {
  const acceptLanguage = asking.headers['accept-language'];
  const preferences = { uiLocales: chosenLanguage(asking), acceptLanguage, fallback: undefined };
  return {
    settings: pagesSettings.schema.parse({}),
    brand: undefined,
    language: await languageFor(preferences, {}, { brand: '' }),
  };
}
