import { createHash } from 'node:crypto';

import { readUlid, ulidAt } from '../../kernel/id-format.ts';

/** The public client id of an application: the address of its metadata document, else a text with the ULID of its id. */
export const clientIdOfApplication = ({ id, documentUrl }: { id: string; documentUrl?: string | undefined }): string =>
  documentUrl ?? `client_${readUlid(id)}`;

/** Reports whether a client id is the address of a metadata document. */
export const isDocumentUrl = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/** The id of the application whose client id is the address of its metadata document: the same in every call. */
export const idOfDocument = (environmentId: string, url: string): string =>
  `conn_app_${ulidAt(0, createHash('sha256').update(`${environmentId} ${url}`).digest())}`;
