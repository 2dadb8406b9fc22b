import type { Page } from '../../kernel/http/error-response.ts';
import { type Content, page } from '../../kernel/pages/layout.ts';
import { plainSurroundings } from '../../kernel/pages/surroundings.ts';
import { settings } from '../../kernel/settings.ts';

/** A page of the console outside of a session, in English like the console itself. */
export const plainPage = async (content: Content): Promise<Page> =>
  page(await plainSurroundings({ headers: {} }), content);

/** The address of a page of the console. @param path empty for the start page, otherwise with encoded segments */
export const consoleAddress = (path = ''): string =>
  `${settings().GATEHOUSE_BASE_URL}/console${path === '' ? '' : `/${path}`}`;
