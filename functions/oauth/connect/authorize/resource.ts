import type { RequestFault } from './fault.ts';

/**
 * Parses `resource` (RFC 8707 section 2): one absolute URI without a fragment. A request has at most one resource, so that a
 * token that leaks from one resource is useless at the others. The caller checks whether it is registered.
 */
export function findResourceFault(named: readonly string[]): RequestFault | undefined {
  const fault = (description: string): RequestFault => ({ error: 'invalid_target', description });
  const [resource, another] = named;
  if (resource === undefined) return undefined;
  if (another !== undefined) return fault('Only one resource can be named in a request.');
  const isUri = URL.canParse(resource) && !resource.includes('#');
  return isUri ? undefined : fault('resource must be an absolute URI without a fragment.');
}
