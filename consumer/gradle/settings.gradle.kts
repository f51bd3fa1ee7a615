rootProject.name = "mail-jobs"
