import { awaitAll } from '../../../kernel/concurrency.ts';
import { ask } from '../check/ask.ts';
import type { Decided } from '../decision-log/log.ts';
import { findMembershipId } from './find.ts';
import { namedResource } from './rules.ts';
import type { EvaluationRequest } from './schema.ts';

/**
 * Decides some evaluations and returns the decisions in their order. Those about one subject are read together, in the
 * waves of parallel reads of one check. An entity that is unknown, or of another organization or environment, results in
 * the same denial as any other.
 */
export async function decide(environmentId: string, requests: readonly EvaluationRequest[]): Promise<Decided[]> {
  const subjects = new Map<string, Promise<string | undefined>>();
  const memberships = await awaitAll(
    requests.map(({ subject, resource, context }) => {
      const key = JSON.stringify([
        subject.type,
        subject.id,
        context?.organization_id,
        namedResource(resource).resource_id,
      ]);
      const known = subjects.get(key) ?? findMembershipId(environmentId, subject, resource, context);
      subjects.set(key, known);
      return known;
    }),
  );
  const decided = requests.map(({ action, resource }, at): Decided => ({
    membershipId: memberships[at],
    permission: action.name,
    resource: namedResource(resource),
    isAuthorized: false,
  }));
  const ids = [...new Set(memberships.filter((id) => id !== undefined))];
  await awaitAll(
    ids.map(async (membershipId) => {
      const own = decided.flatMap((each, at) => (each.membershipId === membershipId ? [{ each, at }] : []));
      const questions = own.map(({ each }) => ({ named: each.resource, permission: each.permission }));
      const { findings } = await ask(environmentId, membershipId, questions);
      for (const [index, { each, at }] of own.entries()) {
        const finding = findings[index];
        // A resource that is named by its id must have the type in the request.
        const isOfType = finding?.chain[0]?.typeSlug === requests[at]?.resource.type;
        each.isAuthorized = finding?.isAuthorized === true && isOfType;
      }
    }),
  );
  return decided;
}
