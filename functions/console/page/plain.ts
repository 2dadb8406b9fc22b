import { makeClientId, OPERATORS_ENVIRONMENT_ID } from '../../kernel/authentication/environment-id.ts';
import type { Page } from '../../kernel/http/error-response.ts';
import { readConsoleUrl } from '../../kernel/own-origin.ts';
import { type Content, page } from '../../kernel/pages/layout.ts';
import { plainSurroundings } from '../../kernel/pages/surroundings.ts';
import { apiTargets, makeApiAddress } from './api-host.ts';

/** A page of the console outside of a session, in English like the console itself. */
export const plainPage = async (content: Content): Promise<Page> =>
  page(await plainSurroundings({ headers: {} }), { ...content, targets: apiTargets(), isPlain: true });

/** The address of the operators' account page. @param path The name of one of its pages; absent for the overview */
export const operatorAccountAddress = (path?: string): string =>
  makeApiAddress(
    `/hosted/account/${makeClientId(OPERATORS_ENVIRONMENT_ID)}${path === undefined ? '' : `/${path}`}`,
  );

/** The address of a page of the console. @param path empty for the start page, otherwise with encoded segments */
export const consoleAddress = (path = ''): string => `${readConsoleUrl()}/console${path === '' ? '' : `/${path}`}`;
