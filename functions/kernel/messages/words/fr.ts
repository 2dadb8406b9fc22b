import type { MessageWords } from './en.ts';

export const fr: MessageWords = {
  'layout.fallback': 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  'layout.questions': 'Des questions ? Écrivez à {address}.',
  'request.lead': 'Cette demande a été faite depuis :',
  'request.browser': 'Appareil',
  'request.address': 'Adresse IP',
  'request.time': 'Date',
  'code.subject': '{code} est votre code pour {brand}',
  'code.note': 'Le code fonctionne une seule fois et expire dans {time}. Nous ne vous le demanderons jamais.',
  'magic_auth.subject': 'Votre code de connexion pour {brand}',
  'magic_auth.heading': 'Votre code de connexion',
  'magic_auth.ask': 'Saisissez ce code sur {brand} pour vous connecter.',
  'magic_auth.unexpected':
    'Si vous n’avez pas tenté de vous connecter, ignorez ce message : sans le code, personne ne peut se connecter.',
  'email_verification.subject': 'Confirmez votre adresse e-mail pour {brand}',
  'email_verification.heading': 'Confirmez votre adresse e-mail',
  'email_verification.ask': 'Saisissez ce code sur {brand} pour confirmer que cette adresse est la vôtre.',
  'email_verification.unexpected':
    'Si vous n’êtes pas à l’origine de cette demande, quelqu’un s’est peut-être trompé d’adresse. Vous pouvez ignorer ce message.',
  'email_change.subject': 'Confirmez votre nouvelle adresse e-mail pour {brand}',
  'email_change.heading': 'Confirmez votre nouvelle adresse e-mail',
  'email_change.ask': 'Saisissez ce code sur {brand} pour utiliser désormais cette adresse avec votre compte.',
  'email_change.unexpected':
    'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : rien ne change sans le code.',
  'radar_challenge.subject': 'Est-ce vous qui vous connectez à {brand} ?',
  'radar_challenge.heading': 'Confirmez votre identité',
  'radar_challenge.ask':
    'Une personne se connecte à votre compte {brand} depuis un nouvel appareil. Si c’est vous, saisissez-y ce code.',
  'radar_challenge.unexpected':
    'Si ce n’est pas vous, ne donnez ce code à personne et changez votre mot de passe : quelqu’un le connaît peut-être.',
  'password_reset.subject': 'Choisissez un nouveau mot de passe pour {brand}',
  'password_reset.heading': 'Choisissez un nouveau mot de passe',
  'password_reset.ask': 'La réinitialisation du mot de passe de votre compte {brand} a été demandée.',
  'password_reset.button': 'Choisir un nouveau mot de passe',
  'password_reset.note':
    'Le lien fonctionne une seule fois et expire dans {time}. Toute personne qui l’a peut l’utiliser : ne le transférez pas.',
  'password_reset.unexpected':
    'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe n’a pas changé.',
  'existing_account.subject': 'Vous avez déjà un compte {brand}',
  'existing_account.happened':
    'Quelqu’un, sans doute vous, a voulu créer un compte {brand} avec cette adresse. Vous en avez déjà un.',
  'existing_account.next':
    'Revenez en arrière et connectez-vous. Mot de passe oublié ? Vous pourrez l’y réinitialiser.',
  'existing_account.button': 'Aller sur {brand}',
  'existing_account.otherwise':
    'Si ce n’était pas vous, il n’y a rien à faire : rien n’a changé, et personne n’a appris que vous avez un compte.',
  'password_changed.subject': 'Votre mot de passe pour {brand} a été modifié',
  'password_changed.happened':
    'Le mot de passe de votre compte {brand} a été modifié le {when}. Les autres appareils sont déconnectés.',
  'password_changed.otherwise':
    'Si ce n’était pas vous, réinitialisez votre mot de passe sans attendre et contactez l’assistance.',
  'email_changed.subject': 'Votre adresse e-mail pour {brand} a été modifiée',
  'email_changed.happened':
    'Votre compte {brand} utilise l’adresse {email} depuis le {when}. L’ancienne ne permet plus de se connecter.',
  'email_changed.otherwise': 'Si ce n’était pas vous, contactez l’assistance sans attendre.',
  'wrong_codes.subject': 'Codes incorrects lors d’une connexion à {brand}',
  'wrong_codes.happened':
    'Quelqu’un a passé la première étape d’une connexion à votre compte {brand}, par exemple le mot de passe, et a saisi plusieurs codes incorrects à la seconde étape, le dernier le {when}. Aucun de ces codes n’a été accepté.',
  'wrong_codes.otherwise':
    'Si ce n’était pas vous, changez votre mot de passe sans attendre et contactez l’assistance.',
  'account_code.subject': 'Confirmez une modification de votre compte {brand}',
  'account_code.heading': 'Confirmez que c’est bien vous',
  'account_code.ask': 'Saisissez ce code sur la page de votre compte {brand} pour modifier votre compte.',
  'account_code.unexpected':
    'Si vous n’êtes pas à l’origine de cette demande, quelqu’un est connecté à votre compte : changez votre mot de passe sans attendre.',
  'passkey_added.subject': 'Une clé d’accès a été ajoutée à votre compte {brand}',
  'passkey_added.happened':
    'La clé d’accès « {name} » a été ajoutée à votre compte {brand} le {when}. Vous pouvez désormais vous connecter avec elle.',
  'passkey_added.otherwise':
    'Si ce n’était pas vous, changez votre mot de passe sans attendre et contactez l’assistance.',
  'recovery_code_used.subject': 'Un code de récupération de votre compte {brand} a été utilisé',
  'recovery_code_used.happened':
    'Un code de récupération a servi à se connecter à votre compte {brand} le {when}. Codes restants : {left}.',
  'recovery_code_used.otherwise':
    'Si ce n’était pas vous, changez votre mot de passe et renouvelez vos codes sans attendre.',
  'recovery_codes.subject': 'Nouveaux codes de récupération pour {brand}',
  'recovery_codes.happened':
    'De nouveaux codes de récupération ont été créés pour votre compte {brand} le {when}. Les codes précédents ne sont plus valables.',
  'recovery_codes.otherwise':
    'Si ce n’était pas vous, changez votre mot de passe sans attendre et contactez l’assistance.',
  'account_changed.subject': 'Votre compte {brand} a été modifié',
  'account_changed.name_changed': 'Votre nom a été modifié.',
  'account_changed.password_set': 'Un mot de passe a été défini. Vous pouvez désormais vous connecter avec celui-ci.',
  'account_changed.authenticator_added':
    'Une application d’authentification a été ajoutée. Ses codes vous seront demandés à la connexion.',
  'account_changed.authenticator_removed':
    'Une application d’authentification ou un numéro de téléphone a été retiré de votre connexion.',
  'account_changed.passkey_removed': 'La clé d’accès « {name} » a été retirée. Elle ne permet plus de se connecter.',
  'account_changed.session_ended': 'L’un de vos appareils a été déconnecté.',
  'account_changed.sessions_ended': 'Tous vos appareils ont été déconnectés.',
  'account_changed.connected_account_removed': 'Votre compte {name} a été dissocié. Il ne permet plus de se connecter.',
  'account_changed.single_sign_on_linked':
    'L’authentification unique de {name} a été associée à votre compte. Elle vous connecte à cette organisation.',
  'account_changed.organization_left': 'Vous avez quitté l’organisation {name}.',
  'account_changed.data_downloaded': 'Une copie de vos données a été téléchargée.',
  'account_changed.account_deleted': 'Votre compte et ses données ont été supprimés.',
  'account_changed.time': 'Cela s’est produit le {when}, sur la page de votre compte.',
  'account_changed.otherwise':
    'Si ce n’était pas vous, changez votre mot de passe sans attendre et contactez l’assistance.',
  'notice.button': 'Aller sur {brand}',
  'impersonation.subject': 'L’assistance a ouvert une session dans votre compte {brand}',
  'impersonation.happened':
    'Le {when}, l’assistance de {brand} s’est connectée à votre compte pour vous aider. Elle voit ce que vous voyez, pendant une heure au plus, et ne peut modifier ni votre mot de passe, ni votre adresse, ni vos seconds facteurs.',
  'impersonation.otherwise': 'Si vous n’avez pas demandé d’aide, contactez l’assistance.',
  'factor_reset.subject': 'Un second facteur de votre compte {brand} a été supprimé',
  'factor_reset.happened':
    'L’assistance a supprimé un second facteur de votre compte {brand} le {when}, à la demande de quelqu’un.',
  'factor_reset.otherwise': 'Si ce n’était pas vous, changez votre mot de passe maintenant et contactez l’assistance.',
  'factor_reset_pending.subject': 'Un second facteur de votre compte {brand} va être supprimé',
  'factor_reset_pending.happened':
    'L’assistance supprimera un second facteur de votre compte {brand} le {when}, à la demande de quelqu’un.',
  'factor_reset_pending.otherwise':
    'Si ce n’était pas vous, arrêtez la suppression maintenant : votre second facteur sera conservé.',
  'factor_reset_pending.button': 'Arrêter la suppression',
  'invitation.subject': '{inviter} vous invite à rejoindre {place}',
  'invitation.subject_plain': 'Vous êtes invité à rejoindre {place}',
  'invitation.lead': '{inviter} vous invite à rejoindre {place} sur {brand}.',
  'invitation.lead_plain': 'Vous êtes invité à rejoindre {place} sur {brand}.',
  'invitation.button': 'Accepter l’invitation',
  'invitation.until': 'Le lien expire le {when}. Il ne peut être utilisé qu’une fois, et par vous seul.',
  'invitation.unexpected':
    'Si vous ne vous y attendiez pas, ignorez ce message : rien ne se passe tant que le lien n’est pas utilisé.',
  'it_contact.subject': 'À configurer pour {organization} : {tasks}',
  'it_contact.preheader': '{brand} vous demande de terminer la configuration. Le lien expire le {when}.',
  'it_contact.heading': 'Configurer {organization} avec {brand}',
  'it_contact.lead': 'Vous êtes le contact informatique de {organization}. {brand} vous demande de configurer :',
  'it_contact.sso': 'authentification unique',
  'it_contact.directory_sync': 'synchronisation de l’annuaire',
  'it_contact.log_streams': 'flux de journaux',
  'it_contact.domain_verification': 'vérification des domaines',
  'it_contact.bring_your_own_key': 'votre propre clé de chiffrement',
  'it_contact.button': 'Commencer la configuration',
  'it_contact.note': 'Le lien expire le {when}. Toute personne qui l’a peut l’utiliser : ne le transférez pas.',
  'it_contact.unexpected':
    'Si vous ne vous y attendiez pas, ignorez ce message : rien ne change tant que le lien n’est pas utilisé.',
  'team.subject': 'Vous administrez {team} chez {brand}',
  'team.lead': '{brand} a créé l’équipe {team}, dont vous êtes l’administrateur. Ses identifiants client :',
  'team.staging': 'Préproduction',
  'team.production': 'Production',
  'team.keys': '{brand} vous remettra les clés d’API des deux environnements, jamais par e-mail.',
  'team.button': 'Lire la référence de l’API',
  'team.unexpected': 'Si vous n’attendiez pas ce message, ignorez-le.',
  'waitlist.subject': 'Vous êtes sur la liste d’attente de {brand}',
  'waitlist.lead': '{email} est sur la liste d’attente de {brand}.',
  'waitlist.next': 'Nous vous écrirons dès que votre compte sera prêt.',
  'waitlist.unexpected': 'Si ce n’était pas vous, ignorez ce message : aucun compte n’a été créé.',
  'approval.subject': 'Une proposition dans {environment} a été approuvée par une commande',
  'approval.lead':
    'Quelqu’un ayant accès à la table de l’étape a approuvé {operation} dans {environment} ({id}), à la place d’un second opérateur. Son auteur peut l’exécuter dans les 24 heures.',
  'break_glass.subject': 'Un accès d’urgence à {environment} a été ouvert',
  'break_glass.lead':
    'Pendant une heure, une personne ayant accès à la table du déploiement peut tout voir et tout modifier dans {environment} ({id}) depuis la console.',
  'break_glass.reason': 'Le motif indiqué : {reason}',
  'break_glass.next': 'Si vous ne pouvez pas l’expliquer, cherchez qui a utilisé le compte AWS et retirez cet accès.',
  'webhook_disabled.subject': 'Un point de terminaison webhook de {environment} a été désactivé',
  'webhook_disabled.preheader': 'Les événements ne parviennent plus à {url}.',
  'webhook_disabled.heading': 'Un point de terminaison webhook a été désactivé',
  'webhook_disabled.lead': 'Les événements de {environment} ne parviennent plus à {url} ({id}).',
  'webhook_disabled.gone': 'Il a répondu 410 Gone : il ne veut plus recevoir d’événements.',
  'webhook_disabled.failing': 'Toutes les livraisons vers ce point de terminaison échouent depuis cinq jours.',
  'webhook_disabled.next':
    'Corrigez le destinataire, puis réactivez le point de terminaison avec {call}. Lisez les événements manqués avec GET /events ; les livraisons en échec peuvent être renvoyées.',
  'sms.code': '{code} est votre code {brand}. Ne le donnez à personne.',
};
