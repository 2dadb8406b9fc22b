import type { MessageWords } from './en.ts';

export const it: MessageWords = {
  'layout.fallback': 'Se il pulsante non funziona, apri questo indirizzo:',
  'layout.questions': 'Domande? Scrivi a {address}.',
  'request.lead': 'La richiesta proviene da:',
  'request.browser': 'Dispositivo',
  'request.address': 'Indirizzo IP',
  'request.time': 'Data e ora',
  'code.subject': '{code} è il tuo codice per {brand}',
  'code.note': 'Il codice è utilizzabile una sola volta e scade tra {time}. Non ti chiederemo mai questo codice.',
  'magic_auth.subject': 'Il tuo codice di accesso per {brand}',
  'magic_auth.heading': 'Il tuo codice di accesso',
  'magic_auth.ask': 'Inserisci questo codice su {brand} per accedere.',
  'magic_auth.unexpected':
    'Se non hai provato ad accedere, puoi ignorare questo messaggio: nessuno può accedere senza il codice.',
  'email_verification.subject': 'Conferma il tuo indirizzo email per {brand}',
  'email_verification.heading': 'Conferma il tuo indirizzo email',
  'email_verification.ask': 'Inserisci questo codice su {brand} per confermare che questo indirizzo è tuo.',
  'email_verification.unexpected':
    'Se la richiesta non è partita da te, è possibile che qualcuno abbia digitato un indirizzo sbagliato. Puoi ignorare questa email.',
  'email_change.subject': 'Conferma il tuo nuovo indirizzo email per {brand}',
  'email_change.heading': 'Conferma il tuo nuovo indirizzo email',
  'email_change.ask': 'Inserisci questo codice su {brand} per usare d’ora in poi questo indirizzo per il tuo account.',
  'email_change.unexpected':
    'Se la richiesta non è partita da te, puoi ignorare questo messaggio: senza il codice non cambia nulla.',
  'radar_challenge.subject': 'Stai accedendo a {brand}?',
  'radar_challenge.heading': 'Verifica la tua identità',
  'radar_challenge.ask':
    'Qualcuno sta accedendo al tuo account su {brand} da un nuovo dispositivo. Se sei tu, inserisci lì questo codice.',
  'radar_challenge.unexpected':
    'Se non sei tu, non comunicare il codice e cambia la password: è possibile che qualcun altro la conosca.',
  'password_reset.subject': 'Scegli una nuova password per {brand}',
  'password_reset.heading': 'Scegli una nuova password',
  'password_reset.ask': 'Qualcuno ha chiesto di reimpostare la password del tuo account su {brand}.',
  'password_reset.button': 'Scegli una nuova password',
  'password_reset.note':
    'Il link è utilizzabile una sola volta e scade tra {time}. Chiunque lo abbia può usarlo, quindi non inoltrarlo.',
  'password_reset.unexpected':
    'Se la richiesta non è partita da te, puoi ignorare questa email. La tua password non è cambiata.',
  'existing_account.subject': 'Hai già un account su {brand}',
  'existing_account.happened':
    'Qualcuno, probabilmente tu, ha provato a creare un account su {brand} con questo indirizzo. Ne hai già uno.',
  'existing_account.next': 'Torna indietro e accedi. Hai dimenticato la password? Puoi reimpostarla lì.',
  'existing_account.button': 'Vai a {brand}',
  'existing_account.otherwise':
    'Se non lo hai fatto tu, non devi fare nulla: non è cambiato nulla e non abbiamo rivelato che hai un account.',
  'password_changed.subject': 'La tua password per {brand} è stata cambiata',
  'password_changed.happened':
    'La password del tuo account su {brand} è stata cambiata ({when}). Gli altri dispositivi sono stati disconnessi.',
  'password_changed.otherwise': 'Se non lo hai fatto tu, reimposta subito la password e contatta l’assistenza.',
  'email_changed.subject': 'Il tuo indirizzo email per {brand} è stato cambiato',
  'email_changed.happened':
    'Il tuo account su {brand} usa ora l’indirizzo {email} ({when}). Non puoi più accedere con quello a cui hai ricevuto questa email.',
  'email_changed.otherwise': 'Se non lo hai fatto tu, contatta immediatamente l’assistenza.',
  'wrong_codes.subject': 'Codici errati durante un accesso a {brand}',
  'wrong_codes.happened':
    'Qualcuno ha superato il primo passaggio di un accesso al tuo account su {brand}, ad esempio la password, e ha inserito diversi codici errati nel secondo passaggio (ultimo tentativo: {when}). Nessuno di questi codici è stato accettato.',
  'wrong_codes.otherwise': 'Se non lo hai fatto tu, cambia subito la password e contatta l’assistenza.',
  'account_code.subject': 'Conferma una modifica al tuo account su {brand}',
  'account_code.heading': 'Conferma la tua identità',
  'account_code.ask': 'Inserisci questo codice nella pagina del tuo account su {brand} per modificare l’account.',
  'account_code.unexpected':
    'Se la richiesta non è partita da te, qualcuno ha effettuato l’accesso al tuo account: cambia subito la password.',
  'passkey_added.subject': 'È stata aggiunta una passkey al tuo account su {brand}',
  'passkey_added.happened':
    'La passkey “{name}” è stata aggiunta al tuo account su {brand} ({when}). D’ora in poi puoi usarla per accedere.',
  'passkey_added.otherwise': 'Se non lo hai fatto tu, cambia subito la password e contatta l’assistenza.',
  'recovery_code_used.subject': 'È stato usato un codice di recupero del tuo account su {brand}',
  'recovery_code_used.happened':
    'È stato usato un codice di recupero per accedere al tuo account su {brand} ({when}). Codici rimanenti: {left}.',
  'recovery_code_used.otherwise':
    'Se non lo hai fatto tu, cambia subito la password e rigenera i tuoi codici di recupero.',
  'recovery_codes.subject': 'Nuovi codici di recupero per il tuo account su {brand}',
  'recovery_codes.happened':
    'Sono stati creati nuovi codici di recupero per il tuo account su {brand} ({when}). I codici precedenti non sono più validi.',
  'recovery_codes.otherwise': 'Se non lo hai fatto tu, cambia subito la password e contatta l’assistenza.',
  'account_changed.subject': 'Il tuo account su {brand} è stato modificato',
  'account_changed.name_changed': 'Il tuo nome è stato cambiato.',
  'account_changed.password_set': 'È stata impostata una password. Ora puoi usarla per accedere.',
  'account_changed.authenticator_added':
    'È stata aggiunta un’app di autenticazione. Per accedere ti serviranno i suoi codici.',
  'account_changed.authenticator_removed':
    'Un’app di autenticazione o un numero di telefono non fa più parte dei tuoi metodi di accesso.',
  'account_changed.passkey_removed': 'La passkey “{name}” è stata rimossa. Non puoi più usarla per accedere.',
  'account_changed.session_ended': 'Uno dei tuoi dispositivi è stato disconnesso.',
  'account_changed.sessions_ended': 'Tutti i tuoi dispositivi sono stati disconnessi.',
  'account_changed.connected_account_removed':
    'Il tuo account {name} è stato scollegato. Non puoi più usarlo per accedere.',
  'account_changed.single_sign_on_linked':
    'Il Single Sign-On di {name} è stato collegato al tuo account. Ti fa accedere a questa organizzazione.',
  'account_changed.organization_left': 'Hai abbandonato l’organizzazione {name}.',
  'account_changed.data_downloaded': 'È stata scaricata una copia dei tuoi dati.',
  'account_changed.account_deleted': 'Il tuo account e i relativi dati sono stati eliminati.',
  'account_changed.time': 'È accaduto nella pagina del tuo account ({when}).',
  'account_changed.otherwise': 'Se non lo hai fatto tu, cambia subito la password e contatta l’assistenza.',
  'notice.button': 'Vai a {brand}',
  'impersonation.subject': 'L’assistenza ha aperto una sessione nel tuo account {brand}',
  'impersonation.happened':
    'In data {when} l’assistenza di {brand} ha effettuato l’accesso al tuo account per aiutarti. Vede ciò che vedi tu, per un’ora al massimo, e non può modificare password, indirizzo o secondi fattori.',
  'impersonation.otherwise': 'Se non hai chiesto aiuto, contatta l’assistenza.',
  'factor_reset.subject': 'Un secondo fattore del tuo account {brand} è stato rimosso',
  'factor_reset.happened':
    'L’assistenza ha rimosso un secondo fattore dal tuo account {brand} il {when}, perché qualcuno lo ha chiesto.',
  'factor_reset.otherwise': 'Se non sei stato tu, cambia subito la password e contatta l’assistenza.',
  'factor_reset_pending.subject': 'Un secondo fattore del tuo account {brand} verrà rimosso',
  'factor_reset_pending.happened':
    'L’assistenza rimuoverà un secondo fattore dal tuo account {brand} il {when}, perché qualcuno lo ha chiesto.',
  'factor_reset_pending.otherwise': 'Se non sei stato tu, ferma subito la rimozione: il secondo fattore resterà.',
  'factor_reset_pending.button': 'Ferma la rimozione',
  'invitation.subject': '{inviter} ti ha invitato a unirti a {place}',
  'invitation.subject_plain': 'Hai ricevuto un invito a unirti a {place}',
  'invitation.lead': '{inviter} ti invita a unirti a {place} su {brand}.',
  'invitation.lead_plain': 'Hai ricevuto un invito a unirti a {place} su {brand}.',
  'invitation.button': 'Accetta l’invito',
  'invitation.until': 'Questo link può essere usato una sola volta e solo da te. Scadenza: {when}.',
  'invitation.unexpected':
    'Se non ti aspettavi questo messaggio, puoi ignorarlo. Non succede nulla finché il link non viene usato.',
  'it_contact.subject': 'Da configurare per {organization}: {tasks}',
  'it_contact.preheader': '{brand} ti chiede di completare la configurazione. Scadenza del link: {when}.',
  'it_contact.heading': 'Configura {organization} con {brand}',
  'it_contact.lead': 'Sei un referente IT di {organization}. {brand} ti chiede di configurare:',
  'it_contact.sso': 'Single Sign-On (SSO)',
  'it_contact.directory_sync': 'sincronizzazione della directory',
  'it_contact.log_streams': 'flussi di log',
  'it_contact.domain_verification': 'verifica dei domini',
  'it_contact.bring_your_own_key': 'chiave di crittografia propria',
  'it_contact.button': 'Inizia la configurazione',
  'it_contact.note': 'Scadenza del link: {when}. Chiunque lo abbia può usarlo, quindi non inoltrarlo.',
  'it_contact.unexpected':
    'Se non ti aspettavi questo messaggio, puoi ignorarlo: non cambia nulla finché il link non viene usato.',
  'team.subject': 'Amministri {team} su {brand}',
  'team.lead': '{brand} ha creato il team {team} e te ne ha affidato l’amministrazione. Gli ID client:',
  'team.staging': 'Staging',
  'team.production': 'Produzione',
  'team.keys': 'Le chiavi API di entrambi gli ambienti vengono fornite da {brand}, mai via email.',
  'team.button': 'Leggi la documentazione dell’API',
  'team.unexpected': 'Se non ti aspettavi questa email, puoi ignorarla.',
  'waitlist.subject': 'Sei nella lista d’attesa di {brand}',
  'waitlist.lead': '{email} è nella lista d’attesa di {brand}.',
  'waitlist.next': 'Ti scriveremo quando il tuo account sarà pronto.',
  'waitlist.unexpected':
    'Se la richiesta non è partita da te, puoi ignorare questa email. Non è stato creato alcun account.',
  'approval.subject': 'Una proposta in {environment} è stata approvata con un comando',
  'approval.lead':
    'Qualcuno con accesso alla tabella dello stage ha approvato {operation} in {environment} ({id}), al posto di un secondo operatore. Chi l’ha proposta può eseguirla entro 24 ore.',
  'break_glass.subject': 'È stato aperto un accesso di emergenza a {environment}',
  'break_glass.lead':
    'Per un’ora, chi ha accesso alla tabella della distribuzione può vedere e modificare tutto in {environment} ({id}) dalla console.',
  'break_glass.reason': 'Il motivo indicato: {reason}',
  'break_glass.next': 'Se non trovi una spiegazione, verifica chi ha usato l’account AWS e revoca quell’accesso.',
  'webhook_disabled.subject': 'Un endpoint webhook di {environment} è stato disattivato',
  'webhook_disabled.preheader': 'Gli eventi non raggiungono più {url}.',
  'webhook_disabled.heading': 'Un endpoint webhook è stato disattivato',
  'webhook_disabled.lead': 'Gli eventi di {environment} non raggiungono più {url} ({id}).',
  'webhook_disabled.gone': 'Ha risposto con 410 Gone, il che significa che non vuole ricevere altri eventi.',
  'webhook_disabled.failing': 'Per cinque giorni tutti gli invii a questo endpoint non sono riusciti.',
  'webhook_disabled.next':
    'Correggi il ricevitore, poi riattiva l’endpoint con {call}. Leggi gli eventi da allora con GET /events; gli invii non riusciti possono essere ripetuti.',
  'sms.code': '{code} è il tuo codice per {brand}. Non comunicarlo mai a nessuno.',
};
