import { makeClientId, OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { readConsoleUrl } from '../../../kernel/own-origin.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import { makeApiAddress } from './api-host.ts';

/**
 * A page of the console outside of a session, in English like the console itself. It needs the layout, the theme and the texts of the
 * hosted pages, some 50 KiB, which a deployed function loads as a separate file with the first such page (`lib/stack/apart.ts`).
 */
export async function plainPage({ body, ...content }: Content): Promise<Page> {
  const { renderPlain } = await import('./apart.ts');
  return renderPlain({ ...content, body: body?.text });
}

/** The address of the operators' account page, which is one of the hosted pages of the API. */
export const accountAddress = (): string => makeApiAddress(`/hosted/account/${makeClientId(OPERATORS_ENVIRONMENT_ID)}`);

/** The address of a page of the console. @param path empty for the start page, otherwise with encoded segments */
export const consoleAddress = (path = ''): string => `${readConsoleUrl()}/console${path === '' ? '' : `/${path}`}`;
