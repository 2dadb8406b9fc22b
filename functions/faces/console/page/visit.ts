import type { Bulk } from '../bulk/lines.ts';
import type { Operator } from '../operator.ts';

/** An environment as an operator may see it. */
export type OperatorEnvironment = Operator['environments'][number];

/** One request of an operator for one page. */
export interface Visit {
  operator: Operator;
  /** The environment of the page; undefined on the pages above the environments. */
  environment: OperatorEnvironment | undefined;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The path below `/console/`. */
  path: string;
  /** The values of a form that waited for a proof of identity. */
  kept?: Readonly<Record<string, string>> | undefined;
  /** The act on many records that the page shows. */
  bulk?: Bulk | undefined;
  /** The time of the request in milliseconds. */
  now: number;
}

/** The address of the page that is visited, without its query. */
export const pageAddress = ({ path }: Pick<Visit, 'path'>): string =>
  `/console/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The address of a page; its segments are encoded. @param segments The path below the environment */
export const environmentAddress = (environmentId: string, ...segments: readonly string[]): string =>
  ['/console/e', environmentId, ...segments].map((each, at) => (at === 0 ? each : encodeURIComponent(each))).join('/');

/** The address of a page of the visit's environment. */
export const addressIn = ({ environment }: Pick<Visit, 'environment'>, ...segments: readonly string[]): string =>
  environmentAddress(environment?.id ?? '', ...segments);

/** An address with a query; empty values are left out. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return entries.length === 0 ? address : `${address}?${new URLSearchParams(entries).toString()}`;
}
