//! The query parameters of a request.

use domain::error::InvalidField;
use domain::period::DateRange;
use domain::time::Day;

use crate::ApiError;

/// The decoded query parameters in the order in which they were sent. Unknown parameters are ignored.
#[derive(Debug, Clone, Default)]
pub struct QueryParameters(Vec<(String, String)>);

impl QueryParameters {
    /// Parses a query string, which can be empty.
    pub fn parse(raw: &str) -> Self {
        Self(url::form_urlencoded::parse(raw.as_bytes()).into_owned().collect())
    }

    /// Returns an optional parameter. An empty value counts as absent. Returns 400 if the parameter is given
    /// more than once.
    pub fn text(&self, name: &str) -> Result<Option<&str>, ApiError> {
        Ok(self.single(name)?.filter(|value| !value.is_empty()))
    }

    /// Returns an optional id. Returns 400 if it is empty or given more than once.
    pub fn optional_id(&self, name: &str) -> Result<Option<&str>, ApiError> {
        match self.single(name)? {
            Some("") => Err(InvalidField::new(name, "must not be empty").into()),
            id => Ok(id),
        }
    }

    /// Returns a parameter that can be empty. Returns 400 if it is given more than once.
    fn single(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let mut found = self
            .0
            .iter()
            .filter(|(n, _)| n == name)
            .map(|(_, value)| value.as_str());
        let value = found.next();
        if found.next().is_some() {
            return Err(InvalidField::new(name, "must be given only once").into());
        }
        Ok(value)
    }

    /// Returns a required parameter. Returns 400 if it is absent, empty or given more than once.
    pub fn required_text(&self, name: &str) -> Result<&str, ApiError> {
        self.text(name)?
            .ok_or_else(|| InvalidField::new(name, "is required").into())
    }

    /// Returns the values of a comma-separated list, trimmed. Repeated parameters make one list. Returns
    /// `None` if the list is absent or empty.
    pub fn list(&self, name: &str) -> Option<Vec<&str>> {
        let values: Vec<&str> = self
            .0
            .iter()
            .filter(|(n, _)| n == name)
            .flat_map(|(_, value)| value.split(','))
            .map(str::trim)
            .filter(|v| !v.is_empty())
            .collect();
        (!values.is_empty()).then_some(values)
    }

    /// Parses `period`, `startDate` and `endDate`. Returns 400 if they are invalid or contradict each other.
    pub fn range(&self, today: Day) -> Result<DateRange, ApiError> {
        let (period, start, end) = (
            self.text("period")?,
            self.text("startDate")?,
            self.text("endDate")?,
        );
        Ok(DateRange::parse(period, start, end, today)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_scalar_is_refused_and_a_repeated_list_adds_up() {
        let query = QueryParameters::parse("entityId=a&entityId=b&models=x,y&models=%20z&empty=");
        assert!(query.text("entityId").is_err());
        assert_eq!(query.list("models"), Some(vec!["x", "y", "z"]));
        assert_eq!(query.text("empty").unwrap(), None);
        assert_eq!(query.list("empty"), None);
    }
}
