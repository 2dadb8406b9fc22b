import { makeClientId, OPERATORS_ENVIRONMENT_ID } from '../../kernel/authentication/environment-id.ts';
import type { Page } from '../../kernel/http/error-response.ts';
import { type Content, page } from '../../kernel/pages/layout.ts';
import { plainSurroundings } from '../../kernel/pages/surroundings.ts';
import { settings } from '../../kernel/settings.ts';

/** A page of the console outside of a session, in English like the console itself. */
export const plainPage = async (content: Content): Promise<Page> =>
  page(await plainSurroundings({ headers: {} }), content);

/** The path of the operators' account page. @param page The name of one of its pages; absent for the overview */
export const operatorAccountPath = (page?: string): string =>
  `/hosted/account/${makeClientId(OPERATORS_ENVIRONMENT_ID)}${page === undefined ? '' : `/${page}`}`;

/** The address of a page of the console. @param path empty for the start page, otherwise with encoded segments */
export const consoleAddress = (path = ''): string =>
  `${settings().GATEHOUSE_BASE_URL}/console${path === '' ? '' : `/${path}`}`;
