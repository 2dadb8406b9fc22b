import * as z from 'zod';

import type { MailContent } from '../content.ts';
import { type Setting, template } from '../template.ts';

interface Words {
  subject: (team: string, brand: string) => string;
  lead: (team: string, brand: string) => string;
  staging: string;
  production: string;
  keys: (brand: string) => string;
  action: string;
  unexpected: string;
}

interface Values {
  teamName: string;
  stagingClientId: string;
  productionClientId: string;
  serviceUrl: string;
}

const write =
  (words: Words) =>
  (values: Values, { brand }: Setting): MailContent => ({
    subject: words.subject(values.teamName, brand.name),
    preheader: words.keys(brand.name),
    heading: words.subject(values.teamName, brand.name),
    blocks: [
      { kind: 'paragraph', text: words.lead(values.teamName, brand.name) },
      {
        kind: 'list',
        items: [`${words.staging}: ${values.stagingClientId}`, `${words.production}: ${values.productionClientId}`],
      },
      { kind: 'paragraph', text: words.keys(brand.name) },
      { kind: 'action', label: words.action, url: `${values.serviceUrl}/docs` },
      { kind: 'note', text: words.unexpected },
    ],
  });

/** Invites the administrator of a new team of a platform. */
export const teamInvitation = template({
  name: 'team-invitation',
  values: z.object({
    teamName: z.string().min(1),
    stagingClientId: z.string().min(1),
    productionClientId: z.string().min(1),
    serviceUrl: z.url(),
  }),
  email: {
    en: write({
      subject: (team, brand) => `You administer ${team} at ${brand}`,
      lead: (team, brand) => `${brand} has created the team ${team} with you as its administrator. Its client ids:`,
      staging: 'Staging',
      production: 'Production',
      keys: (brand) => `You get the API keys of both from ${brand}. They are never in an email.`,
      action: 'Read the API reference',
      unexpected: 'If you did not expect this, you can ignore this email.',
    }),
    de: write({
      subject: (team, brand) => `Sie verwalten ${team} bei ${brand}`,
      lead: (team, brand) => `${brand} hat das Team ${team} mit Ihnen als Administrator angelegt. Die Client-IDs:`,
      staging: 'Staging',
      production: 'Produktion',
      keys: (brand) => `Die API-Schlüssel für beide erhalten Sie von ${brand}, niemals per E-Mail.`,
      action: 'API-Referenz lesen',
      unexpected: 'Falls Sie das nicht erwartet haben, ignorieren Sie diese E-Mail.',
    }),
    fr: write({
      subject: (team, brand) => `Vous administrez ${team} chez ${brand}`,
      lead: (team, brand) =>
        `${brand} a créé l’équipe ${team}, dont vous êtes l’administrateur. Ses identifiants client :`,
      staging: 'Préproduction',
      production: 'Production',
      keys: (brand) => `Vous recevrez les clés d’API des deux de ${brand}, jamais par e-mail.`,
      action: 'Lire la référence de l’API',
      unexpected: 'Si vous n’attendiez pas ce message, ignorez-le.',
    }),
    es: write({
      subject: (team, brand) => `Usted administra ${team} en ${brand}`,
      lead: (team, brand) =>
        `${brand} ha creado el equipo ${team} y usted lo administra. Sus identificadores de cliente:`,
      staging: 'Pruebas',
      production: 'Producción',
      keys: (brand) => `Recibirá las claves de API de ambos de ${brand}, nunca por correo.`,
      action: 'Leer la referencia de la API',
      unexpected: 'Si no esperaba este mensaje, puede ignorarlo.',
    }),
  },
});
