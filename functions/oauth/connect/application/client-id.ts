import { createHash } from 'node:crypto';

import { readUlid, ulidAt } from '../../../kernel/id-format.ts';

/**
 * Returns the public client id of an application: the URL of its metadata document, or otherwise a text with the ULID of its
 * id.
 */
export const clientIdOfApplication = ({ id, documentUrl }: { id: string; documentUrl?: string | undefined }): string =>
  documentUrl ?? `client_${readUlid(id)}`;

/** Reports whether a client id is the URL of a metadata document. */
export const isDocumentUrl = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/**
 * Computes the id of the application whose client id is the URL of its metadata document. The same URL always has the same
 * id.
 */
export const idOfDocument = (environmentId: string, url: string): string =>
  `conn_app_${ulidAt(0, createHash('sha256').update(`${environmentId} ${url}`).digest())}`;
