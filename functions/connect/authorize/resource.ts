import type { RequestFault } from './fault.ts';

/**
 * RFC 8707 section 2: the resource is one absolute URI without a fragment. The server supports one resource a request, so that a
 * token that leaks from one is useless at the others. Whether it is registered is read by the caller.
 */
export function findResourceFault(named: readonly string[]): RequestFault | undefined {
  const fault = (description: string): RequestFault => ({ error: 'invalid_target', description });
  const [resource, another] = named;
  if (resource === undefined) return undefined;
  if (another !== undefined) return fault('Only one resource can be named in a request.');
  const isUri = URL.canParse(resource) && !resource.includes('#');
  return isUri ? undefined : fault('resource must be an absolute URI without a fragment.');
}
