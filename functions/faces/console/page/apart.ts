import type { Page } from '../../../kernel/http/error-response.ts';
import { Html } from '../../../kernel/pages/html.ts';
import { type Content, page } from '../../../kernel/pages/layout.ts';
import { plainSurroundings } from '../../../kernel/pages/surroundings.ts';
import { apiTargets } from './api-host.ts';

/**
 * Makes a page outside of a session.
 * @param content with its body as the text of HTML, since the classes of this file are not those of the function
 */
export const renderPlain = async ({
  body,
  ...content
}: Omit<Content, 'body'> & { body: string | undefined }): Promise<Page> =>
  page(await plainSurroundings({ headers: {} }), {
    ...content,
    body: body === undefined ? undefined : new Html(body),
    targets: apiTargets(),
    isPlain: true,
  });
