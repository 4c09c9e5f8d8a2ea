//! A member's choice of quiz themes and levels.

const MAX_THEMES: usize = 20;
const MAX_THEME_CHARS: usize = 40;
const LEVELS: [&str; 3] = ["EASY", "NORMAL", "HARD"];

/// Chosen themes and levels, each once; an empty list means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuizFilter {
    /// Themes in the order they were chosen.
    pub themes: Vec<String>,
    /// Levels, the easiest first.
    pub levels: Vec<String>,
}

/// Too many or too long themes, or unknown levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidQuizFilter;

impl QuizFilter {
    /// Duplicates are removed.
    ///
    /// # Errors
    /// [`InvalidQuizFilter`] for a theme that is empty, too long or unprintable, too many themes
    /// or an unknown level.
    pub fn parse(themes: &[String], levels: &[String]) -> Result<Self, InvalidQuizFilter> {
        let mut chosen: Vec<String> = Vec::new();
        for theme in themes.iter().map(|theme| theme.trim()) {
            let is_possible = (1..=MAX_THEME_CHARS).contains(&theme.chars().count())
                && !theme.chars().any(char::is_control);
            if !is_possible {
                return Err(InvalidQuizFilter);
            }
            if !chosen.iter().any(|earlier| earlier == theme) {
                chosen.push(theme.to_owned());
            }
            if chosen.len() > MAX_THEMES {
                return Err(InvalidQuizFilter);
            }
        }
        if levels.iter().any(|level| !LEVELS.contains(&level.as_str())) {
            return Err(InvalidQuizFilter);
        }
        let levels = LEVELS
            .into_iter()
            .filter(|level| levels.iter().any(|chosen| chosen == level))
            .map(str::to_owned)
            .collect();
        Ok(Self {
            themes: chosen,
            levels,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(themes: &[&str], levels: &[&str]) -> Result<QuizFilter, InvalidQuizFilter> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let (themes, levels): (Vec<String>, Vec<String>) = (owned(themes), owned(levels));
        QuizFilter::parse(&themes, &levels)
    }

    #[test]
    fn what_is_chosen_twice_counts_once_and_levels_stand_in_order() {
        let filter = parse(&["주식", " 주식 ", "환율"], &["HARD", "EASY", "HARD"]).unwrap();
        assert_eq!(filter.themes, ["주식", "환율"]);
        assert_eq!(filter.levels, ["EASY", "HARD"]);
        assert_eq!(parse(&[], &[]), Ok(QuizFilter::default()));
    }

    #[test]
    fn what_cannot_be_chosen_is_refused() {
        let long = "가".repeat(41);
        let many: Vec<String> = (0..21).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for themes in [&[""][..], &["  "], &[long.as_str()], &["a\u{7}b"], &many] {
            assert_eq!(parse(themes, &[]), Err(InvalidQuizFilter), "{themes:?}");
        }
        for level in ["easy", "", "IMPOSSIBLE"] {
            assert_eq!(parse(&[], &[level]), Err(InvalidQuizFilter));
        }
    }
}
