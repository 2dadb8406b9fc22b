/**
 * The fetch of metadata documents and keys. The egress guard with its table of addresses is some 25 KiB, which a deployed
 * function loads as a file of its own with the first fetch (`lib/stack/apart.ts`).
 */
export { fetchDocument } from './fetch-document.ts';
