//! The words of clauses that say that nothing was found, in folded form and in the most frequent languages of answers.

/// Pronouns for nothing.
pub(super) const NOTHING: &[&str] = &[
    "nothing", "none", "nichts", "rien", "nada", "niente", "nulla", "niets",
    "inget", "ingenting", "intet", "nic", "ничего", "нічого",
];

/// Determiners of something that does not exist.
pub(super) const NO: &[&str] = &[
    "no", "zero", "0", "without", "kein", "keine", "keinen", "keiner", "keinerlei", "aucun", "aucune",
    "ningun", "ninguna", "ningunos", "nessun", "nessuna", "nenhum", "nenhuma", "geen", "sin", "sans", "ohne",
    "non", "nao",
    "ingen", "inga", "ingen", "brak", "нет", "никакои", "никаких", "немає",
];

/// Words that negate a verb.
pub(super) const NOT: &[&str] = &[
    "not", "nowhere", "never", "cannot", "can't", "couldn't", "didn't", "don't", "doesn't", "haven't",
    "hasn't", "isn't", "aren't", "wasn't", "weren't", "won't", "unable", "failed", "nicht", "pas", "niet",
    "no", "non", "nao",
    "inte", "ikke", "nie", "не",
];

/// The words of [`NOT`] that the search term may follow directly.
pub(super) const NOT_BEFORE_NAME: &[&str] = &[
    "not", "couldn't", "didn't", "haven't", "unable", "failed", "nicht", "pas", "niet", "no", "non", "nao",
    "inte", "ikke", "nie", "не",
];

/// Nouns for what can be known about a brand.
pub(super) const INFORMATION: &[&str] = &[
    "information", "info", "informations", "data", "details", "result", "results", "mention", "mentions",
    "reference", "references", "evidence", "record", "records", "occurrence", "occurrences", "trace",
    "traces", "hit", "hits", "entry", "entries", "coverage", "anything", "something",
    "informationen", "infos", "angaben", "hinweis", "hinweise", "erwahnung", "erwahnungen", "ergebnis",
    "ergebnisse", "treffer", "daten", "resultat", "resultats", "donnee", "donnees", "informacion", "mencion",
    "menciones", "resultado", "resultados", "referencia", "referencias", "datos", "informazioni",
    "informazione", "menzione", "menzioni", "risultato", "risultati", "riferimenti", "informacao",
    "informacoes", "mencao", "mencoes", "informatie", "vermelding", "vermeldingen", "resultaten", "gegevens",
    "informasjon", "oplysninger", "opplysninger", "uppgifter", "informacji", "informacje", "wzmianki",
    "wynikow", "информации", "информация", "информацию", "данных", "сведении", "упоминании", "інформаціі",
    "інформацію", "informacio",
];

/// Nouns that mean information only after a verb of finding; `no match for Acme` is praise.
pub(super) const MATCH: &[&str] = &["match", "matches"];

/// Verbs of a source that mentions a brand, directly before the brand.
pub(super) const MENTION_VERBS: &[&str] = &["mention", "mentions", "reference", "references",
    "include", "includes", "contain", "contains", "list", "lists",];

/// Prepositions between information and its topic.
pub(super) const ABOUT: &[&str] = &[
    "about", "on", "of", "for", "to", "regarding", "concerning", "mentioning", "named", "called", "zu", "zum",
    "zur", "uber", "von", "fur", "sur", "de", "du", "d", "pour", "concernant", "sobre", "acerca", "del",
    "para", "su", "di", "da", "do", "per", "over", "voor", "van",
    "om", "o", "na", "temat", "dla", "о", "об", "про", "med", "tentang",
];

/// The words of [`ABOUT`] that only a name can follow.
pub(super) const NAMING: &[&str] = &["mentioning", "named", "called"];

/// Prepositions between a part and the whole, as in `none of`.
pub(super) const PART_OF: &[&str] = &["of", "von", "de", "du", "d", "di", "do", "da", "van"];

/// Conjunctions that continue a list; they may also start a clause.
pub(super) const AND: &[&str] = &["and", "und", "et", "y", "e"];

/// Conjunctions that continue a denied list.
pub(super) const OR: &[&str] = &["or", "nor", "oder", "ou", "o"];

/// Prepositions before the place that was searched.
pub(super) const PLACE_PREPOSITIONS: &[&str] = &[
    "in", "within", "among", "across", "at", "from", "with", "im", "dans", "en",
];

/// Forms of `to find` that precede or follow a negation.
pub(super) const FIND: &[&str] = &[
    "find", "found", "locate", "located", "identify", "identified", "see", "discover", "retrieve", "retrieved", "finden", "gefunden",
    "trouve", "trouver", "trouvee", "encontre", "encontrar", "encontro", "encontrado", "encontramos",
    "encontrei", "trovato", "trovare", "gevonden", "vinden",
    "hittade", "hittat", "hitta", "fandt", "fundet", "finde", "fant", "funnet", "finne", "znalazlem",
    "znalazlam", "znaleziono", "znalezc", "нашел", "нашла", "наидено", "наити", "удалось", "знаишов",
    "знаишла", "знаидено", "menciona", "mencionan", "menzionano",
];

/// Verbs for a brand that occurs in a source: it appears, or it is found.
pub(super) const APPEAR: &[&str] = &[
    "find", "found", "mentioned", "appear", "located", "referenced", "surface", "finden", "gefunden",
    "erwahnt", "mentionne", "mentionnee", "trouve", "trouvee", "mencionado", "mencionada", "menciona",
    "encontrado", "encontrada", "menzionato", "menzionata", "trovato", "trovata", "vermeld", "gevonden",
    "listed", "appears", "aparece", "aparecen", "appare", "appaiono", "genoemd", "fundet", "funnet",
    "hittades", "наиден", "наидена", "упоминается",
];

/// Verbs of a search that returns a result.
pub(super) const RETURNED: &[&str] = &[
    "returned", "returns", "yielded", "yields", "gave", "produced", "produces", "showed", "shows", "turned",
];

/// Function words, which may stand between the others.
pub(super) const FUNCTION_WORDS: &[&str] = &[
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
    "wird", "ist", "sind", "liegen", "liegt", "est", "sont", "ne", "esta", "wordt", "jag", "jeg", "har",
    "kunde", "kunne", "nagon", "nogen", "noen", "я", "мы", "мне", "было", "am",
];

/// Words before a brand that make it the subject of a search.
pub(super) const SEARCHED: &[&str] = &[
    "search", "searches", "searched", "searching", "query", "queries", "queried", "looked", "looking",
    "lookup", "suche", "recherche", "busqueda", "ricerca",
];

/// Words that may follow a complete denial.
pub(super) const TAIL: &[&str] = &[
    "anywhere", "here", "found", "available", "returned", "there", "so", "however", "but", "either", "though",
    "although", "and", "online", "yet", "gefunden", "trouve", "encontre", "encontrado", "trovato", "gevonden",
    "finden", "vor", "fundet", "funnet", "dostepne",
];

/// Verbs that may follow a complete denial if a word such as `found` follows them.
pub(super) const TAIL_VERBS: &[&str] = &["was", "were", "is", "are", "could", "can", "has", "have"];

/// Prepositions that may follow a complete denial, before the place that was searched.
pub(super) const TAIL_PREPOSITIONS: &[&str] = &[
    "in", "among", "at", "within", "across", "during", "im", "dans", "en", "nei", "nelle", "nos", "nas",
];

/// Nouns for what is searched.
pub(super) const SOURCES: &[&str] = &[
    "source", "sources", "result", "results", "search", "searches", "list", "lists", "text", "texts",
    "document", "documents", "database", "databases", "web", "internet", "article", "articles", "index",
    "context", "material", "materials", "answer", "answers", "page", "pages", "them", "quellen", "liste",
    "ergebnissen", "suchergebnissen", "fuentes", "resultados", "resultats", "fonti", "risultati", "fontes",
    "bronnen", "resultaten",
    "data", "knowledge", "ranking", "rankings", "review", "reviews", "report", "reports", "guide", "guides",
    "listing", "listings", "directory", "directories", "zoekresultaten", "suchergebnisse", "ergebnisse",
    "lista", "lijst", "resultater",
];

/// Chinese phrases before the name: nothing was found (about).
pub(super) const NOT_FOUND_ZH: &[&str] = &[
    "没有找到", "没找到", "无法找到", "無法找到", "查不到", "未找到", "找不到", "未能找到", "未发现", "没有发现", "沒有找到", "未發現", "沒有發現",
];

/// Characters that may stand between these phrases and the name.
pub(super) const CONNECTORS_ZH: &[char] = &[
    '关', '於', '于', '有', '關', '任', '何', '与', '與', '对', '對', '「', '『', '“', '"', '\'', '《',
];

/// Words that may follow the name in such a Chinese clause.
pub(super) const AFTER_NAME_ZH: &[&str] = &[
    "的", "相关", "相關", "有关", "有關", "任何", "公开", "公開", "具体", "具體", "信息", "資訊", "资讯", "资料",
    "資料", "内容", "內容", "记录", "記錄", "数据", "數據", "结果", "結果", "报道", "報道", "提及", "介绍", "介紹",
    "公司", "品牌", "产品", "產品", "服务", "服務", "这个", "這個", "这家", "這家", "这款", "這款", "或者", "或",
    "和", "与", "與", "及", "等", "搜索",
];

/// Phrases before the name at the end of a clause: nothing was found about it.
pub(super) const PHRASES: &[&str] = &[
    "لم أجد معلومات عن", "لم أجد أي معلومات عن", "لا توجد معلومات عن", "לא מצאתי מידע על", "אין מידע על",
    "ไม่พบข้อมูลเกี่ยวกับ", "không tìm thấy thông tin về", "không có thông tin về", "tidak menemukan informasi tentang",
    "tidak ada informasi tentang", "δεν βρήκα πληροφορίες για", "δεν βρήκα πληροφορίες για την",
    "δεν βρήκα πληροφορίες για το", "nenašel jsem žádné informace o", "je ne connais pas", "no conozco", "non conosco", "não conheço", "nu am găsit informații despre",
];

/// Particles after the name that make it the topic of a clause, in Japanese and Korean.
pub(super) const TOPIC_PARTICLES: &[&str] = &["は", "은", "는"];

/// Particles between the name and what may be known about it, in Japanese, Korean, Turkish and Hindi.
pub(super) const ABOUT_PARTICLES: &[&str] = &[
    "に関する", "について", "の情報", "という", "への言及", "に対する", "에 대한", "에 관한", "hakkında", "के बारे में",
];

/// Words that may follow one of [`ABOUT_PARTICLES`].
pub(super) const BETWEEN_WORDS: &[&str] = &[
    "情報", "言及", "記載", "記述", "データ", "詳細", "検索", "結果", "内容", "公開", "具体的な", "十分な", "会社",
    "企業", "ブランド", "製品", "サービス", "ツール", "もの", "何も", "の", "は", "が", "も", "を", "に", "bilgi",
    "herhangi bir", "hiçbir", "कोई", "जानकारी", "정보",
    "언급", "자료", "데이터", "결과", "내용", "기록", "검색", "구체적인", "충분한", "어떤", "아무", "회사", "기업",
    "브랜드", "제품", "서비스", "을", "를", "은", "는", "이", "가", "도",
];

/// Endings of such a clause: it was not found.
pub(super) const NOT_FOUND_ENDINGS: &[&str] = &[
    "見つかりませんでした", "見つかりません", "見つけられませんでした", "見つかっていません", "見当たりません",
    "ありません", "찾을 수 없", "찾지 못", "없습니다", "bulamadım", "bulunamadı", "bulunmuyor", "yok", "नहीं मिल",
];

/// Words that start a clause about a search, as in `For Acme, I found nothing`.
pub(super) const TOPIC: &[&str] = &[
    "for", "about", "on", "regarding", "concerning", "zu", "uber", "sur", "pour", "sobre", "para", "su",
    "over", "voor",
];

/// Pronouns with which the model refers to itself.
pub(super) const FIRST_PERSON: &[&str] = &["i", "we"];

/// Words that deny all brands of a list.
pub(super) const NEITHER: &[&str] = &["neither"];

/// Verbs of a search or a source that has information.
pub(super) const CONTAIN: &[&str] = &[
    "return", "returned", "contain", "contains", "include", "includes", "provide", "provides", "hold", "came", "come",
    "turned",
];

/// Adjectives of information that exists.
pub(super) const AVAILABLE: &[&str] = &[
    "available", "verfugbar", "vorhanden", "disponible", "disponibles", "disponivel", "disponiveis", "disponibile",
    "disponibili", "beschikbaar", "tilganglig",
];

/// Words for information that does not exist.
pub(super) const MISSING: &[&str] = &["unavailable", "missing", "lacking", "fehlen", "fehlt", "отсутствует"];

/// Verbs that precede their negation.
pub(super) const APPEAR_THEN_NOT: &[&str] = &[
    "erscheint", "taucht", "kommt", "komt", "verschijnt", "apparait", "figure",
];

/// Separable prefixes of [`APPEAR_THEN_NOT`] verbs.
pub(super) const PARTICLES: &[&str] = &["auf", "vor", "voor"];

#[cfg(test)]
mod tests {
    use crate::fold::Folded;
    use super::*;

    #[test]
    fn the_words_are_in_folded_form() {
        for list in [
            NOTHING, NO, NOT, NOT_BEFORE_NAME, INFORMATION, MATCH, MENTION_VERBS, ABOUT, NAMING, PART_OF, AND, OR, PLACE_PREPOSITIONS, FIND,
            APPEAR, APPEAR_THEN_NOT, PARTICLES, RETURNED, FUNCTION_WORDS, SEARCHED, TAIL, TAIL_VERBS, TAIL_PREPOSITIONS, SOURCES, CONTAIN,
            AVAILABLE, MISSING, FIRST_PERSON, NEITHER, TOPIC,
        ] {
            for word in list {
                assert_eq!(Folded::of(word).text, *word);
            }
        }
    }
}
