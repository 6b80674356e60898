//! The words of clauses that say that nothing was found, folded, in the languages most answers are in.

/// Stand for a thing that is not there.
pub(super) const NOTHING: &[&str] = &[
    "nothing", "none", "nichts", "rien", "nada", "niente", "nulla", "niets",
];

/// Stand before a thing that is not there.
pub(super) const NO: &[&str] = &[
    "no", "zero", "0", "without", "kein", "keine", "keinen", "keiner", "keinerlei", "aucun", "aucune",
    "ningun", "ninguna", "ningunos", "nessun", "nessuna", "nenhum", "nenhuma", "geen", "sin", "sans", "ohne",
    "non", "nao",
];

/// Turn a verb round.
pub(super) const NOT: &[&str] = &[
    "not", "nowhere", "never", "cannot", "can't", "couldn't", "didn't", "don't", "doesn't", "haven't",
    "hasn't", "isn't", "aren't", "wasn't", "weren't", "won't", "unable", "failed", "nicht", "pas", "niet",
    "no", "non", "nao",
];

/// Those of [`NOT`] after which a thing that was looked for may follow at once.
pub(super) const NOT_DIRECT: &[&str] = &[
    "not", "couldn't", "didn't", "haven't", "unable", "failed", "nicht", "pas", "niet", "no", "non", "nao",
];

/// What may be known about a brand.
pub(super) const KNOWLEDGE: &[&str] = &[
    "information", "info", "informations", "data", "details", "result", "results", "mention", "mentions",
    "reference", "references", "evidence", "record", "records", "occurrence", "occurrences", "trace",
    "traces", "hit", "hits", "match", "matches", "entry", "entries", "coverage", "anything", "something",
    "informationen", "infos", "angaben", "hinweis", "hinweise", "erwahnung", "erwahnungen", "ergebnis",
    "ergebnisse", "treffer", "daten", "resultat", "resultats", "donnee", "donnees", "informacion", "mencion",
    "menciones", "resultado", "resultados", "referencia", "referencias", "datos", "informazioni",
    "informazione", "menzione", "menzioni", "risultato", "risultati", "riferimenti", "informacao",
    "informacoes", "mencao", "mencoes", "informatie", "vermelding", "vermeldingen", "resultaten", "gegevens",
];

/// Lead from knowledge to what it is about.
pub(super) const ABOUT: &[&str] = &[
    "about", "on", "of", "for", "to", "regarding", "concerning", "mentioning", "named", "called", "zu", "zum",
    "zur", "uber", "von", "fur", "sur", "de", "du", "d", "pour", "concernant", "sobre", "acerca", "del",
    "para", "su", "di", "da", "do", "per", "over", "voor", "van",
];

/// Lead to where it was looked for.
pub(super) const WHERE: &[&str] = &[
    "in", "within", "among", "across", "at", "from", "with", "im", "dans", "en",
];

/// To find, in the forms that follow or precede a negation.
pub(super) const FIND: &[&str] = &[
    "find", "found", "locate", "located", "identify", "identified", "see", "discover", "finden", "gefunden",
    "trouve", "trouver", "trouvee", "encontre", "encontrar", "encontro", "encontrado", "encontramos",
    "encontrei", "trovato", "trovare", "gevonden", "vinden",
];

/// What a brand that is not there does not do.
pub(super) const APPEAR: &[&str] = &[
    "find", "found", "mentioned", "appear", "located", "referenced", "surface", "finden", "gefunden",
    "erwahnt", "mentionne", "mentionnee", "trouve", "trouvee", "mencionado", "mencionada", "menciona",
    "encontrado", "encontrada", "menzionato", "menzionata", "trovato", "trovata", "vermeld", "gevonden",
];

/// How a search answers.
pub(super) const ANSWERED: &[&str] = &[
    "returned", "returns", "yielded", "yields", "gave", "produced", "produces", "showed", "shows", "turned",
];

/// Small words that may stand in between.
pub(super) const SMALL: &[&str] = &[
    "a", "an", "the", "any", "i", "we", "he", "it", "there", "was", "were", "is", "are", "be", "been",
    "being", "has", "have", "had", "did", "do", "does", "could", "can", "able", "up", "and", "or", "nor", "s",
    "my", "this", "that", "their", "its", "brand", "brands", "company", "companies", "product", "products",
    "tool", "tools", "service", "services", "website", "site", "name", "direct", "directly", "specific",
    "specifically", "explicit", "explicitly", "relevant", "reliable", "actually", "even", "single", "further",
    "more", "much", "currently", "available", "public", "publicly", "search", "searching", "web", "results",
    "online", "related", "ich", "habe", "wir", "haben", "konnte", "konnten", "wurde", "wurden", "es", "gibt",
    "die", "der", "das", "den", "dem", "marke", "firma", "j", "je", "n", "ai", "nous", "avons", "il", "y",
    "la", "le", "les", "l", "marque", "entreprise", "se", "hay", "ha", "hemos", "marca", "empresa", "el",
    "los", "las", "ho", "abbiamo", "stata", "stato", "state", "ci", "sono", "foi", "foram", "o", "os", "as",
    "ik", "heb", "werd", "werden", "er", "over", "het", "und", "oder", "ou", "et", "e", "kon",
];

/// Words before a brand that make it the subject of a search.
pub(super) const SEARCH: &[&str] = &[
    "search", "searches", "searched", "searching", "query", "queries", "queried", "looked", "looking",
    "lookup", "suche", "recherche", "busqueda", "ricerca",
];

/// What may follow when all is said.
pub(super) const TAIL: &[&str] = &[
    "in", "among", "anywhere", "at", "within", "across", "during", "here", "was", "were", "found",
    "available", "could", "returned", "there", "so", "however", "but", "either", "though", "although", "and",
    "online", "yet", "im", "dans", "en", "nei", "nelle", "nos", "nas", "gefunden", "trouve", "encontre",
    "encontrado", "trovato", "gevonden",
];

/// Chinese, before the name: nothing was found (about).
pub(super) const BEFORE_ZH: &[&str] = &[
    "没有找到", "没找到", "未找到", "找不到", "未能找到", "未发现", "没有发现", "沒有找到", "未發現", "沒有發現",
];

/// What may stand between these and the name.
pub(super) const LINK_ZH: &[char] = &[
    '关', '於', '于', '有', '關', '任', '何', '与', '與', '对', '對', '「', '『', '“', '"', '\'', '《',
];

/// Japanese and Korean: what follows the name …
pub(super) const AFTER_TOPIC: &[&str] = &[
    "に関する", "について", "の情報", "という", "は", "への言及", "に対する", "에 대한", "에 관한", "은", "는",
];

/// … and what the rest of the clause says then.
pub(super) const AFTER_NONE: &[&str] = &[
    "見つかりませんでした", "見つかりません", "見つけられませんでした", "見つかっていません", "찾을 수 없", "찾지 못",
];

/// Words that open a clause about a search: `For Acme, …`.
pub(super) const TOPIC: &[&str] = &[
    "for", "about", "on", "regarding", "concerning", "zu", "uber", "sur", "pour", "sobre", "para", "su",
    "over", "voor",
];
