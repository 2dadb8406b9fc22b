import { getSignInUrl } from '@workos-inc/authkit-nextjs';
import { redirect } from 'next/navigation';

/** The address at which a sign-in begins, also one to an organization that the service names. */
export async function GET(request) {
  redirect(await getSignInUrl({ organizationId: request.nextUrl.searchParams.get('organization_id') ?? undefined }));
}
